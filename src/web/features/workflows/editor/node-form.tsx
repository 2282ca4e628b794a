import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { ReactNode } from 'react';
import type { SurveyVariable } from '#shared/survey-variable.ts';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { ApprovalFields } from './approval-fields.tsx';
import { BeginFields } from './begin-fields.tsx';
import type { NodeError } from './draft-errors.ts';
import { withChanged } from './edits.ts';
import classes from './editor.module.css';
import { TemplateFields } from './template-fields.tsx';
import { WaitFields } from './wait-fields.tsx';
import { WorkflowFields } from './workflow-fields.tsx';

/** The parts of the forms that other nouns own. */
export interface NodeParts {
  renderZone: (input: { value: string; onChange: (zone: string) => void }) => ReactNode;
  renderSurvey: (
    variables: SurveyVariable[],
    onChange: (variables: SurveyVariable[]) => void,
  ) => ReactNode;
}

export interface Place extends NodeParts {
  projectId: number;
  /** The workflow that is edited, which cannot contain itself; null for a new one. */
  workflowId: number | null;
  graph: WorkflowGraph;
  onGraph: (graph: WorkflowGraph, about?: string | null) => void;
}

export interface FieldsProps<Node extends WorkflowNode> extends Place {
  node: Node;
  /** Changes the node; `about` names the field that is typed into. */
  onNode: (node: Node, about?: string) => void;
  /** Whether a field is wrong; what is wrong stands above the form. */
  isWrong: (field: string) => boolean;
}

interface Props extends Place {
  node: WorkflowNode;
  errors: NodeError[];
}

/** The form of a node: its own fields, and when it begins. */
export function NodeForm({ node, errors, ...place }: Props) {
  const { t } = useTranslation();
  const onNode = (next: WorkflowNode, about?: string) =>
    place.onGraph(withChanged(place.graph, next), about ? `${node.key} ${about}` : null);
  const isWrong = (field: string) => errors.some((error) => error.field === field);
  const props = { ...place, onNode, isWrong };
  return (
    <div className={classes.fields}>
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
