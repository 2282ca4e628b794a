import { TextInput } from '@mantine/core';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { ApprovalFields } from './approval-fields.tsx';
import { BeginFields } from './begin-fields.tsx';
import type { NodeError } from './draft-errors.ts';
import { withChanged } from './edits.ts';
import type { NodeFieldsContext } from './fields-props.ts';
import { TemplateFields } from './template-fields.tsx';
import { WaitFields } from './wait-fields.tsx';
import { WorkflowFields } from './workflow-fields.tsx';

interface Props extends NodeFieldsContext {
  node: WorkflowNode;
  errors: NodeError[];
}

export function NodeForm({ node, errors, ...place }: Props) {
  const onNode = (next: WorkflowNode, about?: string) =>
    place.onGraph(withChanged(place.graph, next), about ? `${node.key} ${about}` : null);
  const isWrong = (field: string) => errors.some((error) => error.field === field);
  const props = { ...place, onNode, isWrong };
  return (
    <div className="column gap-14">
      <TextInput
        label={t('common.name')}
        required
        value={node.name}
        error={isWrong('name')}
        onChange={(event) => onNode({ ...node, name: event.currentTarget.value }, 'name')}
      />
      {node.type === 'template' && <TemplateFields {...props} node={node} />}
      {node.type === 'approval' && <ApprovalFields {...props} node={node} />}
      {node.type === 'wait' && <WaitFields {...props} node={node} />}
      {node.type === 'workflow' && <WorkflowFields {...props} node={node} />}
      <BeginFields {...place} node={node} />
    </div>
  );
}
