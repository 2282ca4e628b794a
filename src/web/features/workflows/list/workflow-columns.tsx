import type { ListedWorkflow } from '#shared/api/workflows.ts';
import { t } from '../../../lib/i18n.ts';
import type { Column } from '../../../ui/lists/data-table.tsx';
import {
  Actions,
  lastRunCell,
  NameLink,
  statusCell,
  statusOf,
  type WorkflowRowProps,
} from './workflow-cells.tsx';

interface Context extends WorkflowRowProps {
  onDelete: (workflow: ListedWorkflow) => void;
  /** Whether the status is below the name, because its column does not fit. */
  isNarrow: boolean;
}

export function workflowColumns(context: Context): Column<ListedWorkflow>[] {
  const { isNarrow } = context;
  const status: Column<ListedWorkflow> = {
    key: 'status',
    title: t('task.column.status'),
    sortBy: statusOf,
    cell: (workflow) => statusCell(workflow),
  };
  return [
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: (workflow) => (
        <span className="column items-start gap-4 min-w-0">
          <NameLink workflow={workflow} />
          {isNarrow && statusCell(workflow)}
        </span>
      ),
    },
    ...(isNarrow ? [] : [status]),
    {
      key: 'nodes',
      title: t('workflow.nodes'),
      from: 'medium',
      cell: (workflow) => {
        const names = nodesLine(workflow);
        return (
          <span className="soft" title={names}>
            {names}
          </span>
        );
      },
    },
    {
      key: 'last_run',
      title: t('workflow.last_run'),
      from: 'small',
      sortBy: ({ last_run: last }) => last?.id ?? 0,
      cell: ({ last_run: last }) => lastRunCell(last),
    },
    {
      key: 'actions',
      title: '',
      hiddenTitle: t('common.actions'),
      align: 'end',
      cell: (workflow) => <Actions {...context} workflow={workflow} />,
    },
  ];
}

/** The names of the first nodes, and the number of others. */
function nodesLine({ first_nodes: names, node_count: count }: ListedWorkflow) {
  const line = names.join(', ');
  const more = count - names.length;
  return more > 0 ? t('workflow.more_nodes', { line, number: more }) : line;
}
