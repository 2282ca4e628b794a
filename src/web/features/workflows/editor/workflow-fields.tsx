import { useQuery } from '@tanstack/react-query';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { workflowQueries } from '../workflows.queries.ts';
import type { FieldsProps } from './fields-props.ts';

type NestedNode = Extract<WorkflowNode, { type: 'workflow' }>;

export function WorkflowFields(props: FieldsProps<NestedNode>) {
  const { projectId, workflowId, node, onNode, isWrong } = props;
  const { data } = useQuery(workflowQueries.list(projectId));
  return (
    <IdSelect
      label={t('workflow.type.workflow')}
      required
      items={data?.filter(({ id }) => id !== workflowId)}
      value={node.workflow_id || null}
      onChange={(id) => onNode({ ...node, workflow_id: id ?? 0 })}
      error={isWrong('workflow_id')}
    />
  );
}
