import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconPlus, IconSitemap } from '@tabler/icons-react';
import type { ListedWorkflow } from '#shared/api/workflows.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { useDeletion } from '../../../resources/use-deletion.tsx';
import { List, type ListAddress } from '../../../ui/lists/list.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { actionsColumn, column, roomForStatuses } from '../../../resources/columns.ts';
import { roomForCharacters } from '../../../ui/lists/column-room.ts';
import { workflowQueries, workflowResource } from '../workflows.queries.ts';
import { RunDrawing } from './run-drawing.tsx';
import {
  Actions,
  lastRunCell,
  NameLink,
  statusCell,
  urgencyOfRun,
  type WorkflowRowProps,
} from './workflow-cells.tsx';

interface Props extends WorkflowRowProps {
  projectId: number;
  address: ListAddress;
  /** The content below the list. */
  below: ReactNode;
}

export function WorkflowList({ projectId, address, below, ...props }: Props) {
  const isNarrow = useIsNarrow();
  const mayEdit = props.may('workflow.edit');
  const { data, error, refetch } = useQuery(workflowQueries.list(projectId));
  const deletion = useDeletion(workflowResource, { projectId });
  const add = mayEdit && <NewButton projectId={projectId} />;
  return (
    <Page title={t('workflow.list')} actions={add}>
      <List
        label={t('workflow.list')}
        rows={data}
        rowKey={({ id }) => id}
        columns={workflowColumns({ ...props, isNarrow, onDelete: deletion.ask })}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, description }) => `${name} ${description}`}
        address={address}
        empty={
          <EmptyState
            icon={<IconSitemap size={24} />}
            title={t('workflow.none.title')}
            text={mayEdit ? t('workflow.none.text') : t('workflow.none.text_read_only')}
          >
            {add}
          </EmptyState>
        }
      />
      {below}
      {deletion.dialog}
    </Page>
  );
}

function NewButton({ projectId }: { projectId: number }) {
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      data-shortcut="n"
      renderRoot={(props) => (
        <Link to="/project/$projectId/workflows/new" params={{ projectId }} {...props} />
      )}
    >
      {t('workflow.new')}
    </Button>
  );
}

interface Context extends WorkflowRowProps {
  onDelete: (workflow: ListedWorkflow) => void;
  /** Whether the status is below the name, because its column does not fit. */
  isNarrow: boolean;
}

function workflowColumns(context: Context): Column<ListedWorkflow>[] {
  const { isNarrow } = context;
  const status: Column<ListedWorkflow> = column(
    'status',
    t('task.column.status'),
    { sortBy: urgencyOfRun, room: roomForStatuses() },
    (workflow) => statusCell(workflow),
  );
  return [
    column('name', t('common.name'), { wide: true, sortBy: ({ name }) => name }, (workflow) => (
      <span className="column items-start gap-4 min-w-0">
        <span className="row gap-6 min-w-0 max-w-full">
          <NameLink workflow={workflow} />
          {context.renderMark(workflow.id)}
        </span>
        {isNarrow && statusCell(workflow)}
      </span>
    )),
    ...(isNarrow ? [] : [status]),
    column(
      'nodes',
      t('workflow.nodes'),
      { from: 'medium', room: roomForCharacters(22) },
      (workflow) => {
        const names = nodesLine(workflow);
        return (
          <span className="soft" title={names}>
            {names}
          </span>
        );
      },
    ),
    column(
      'last_run',
      t('workflow.last_run'),
      {
        from: 'small',
        room: roomForCharacters(20),
        sortBy: ({ last_run: last }) => last?.id ?? 0,
        isNewestFirst: true,
      },
      ({ last_run: last }) => lastRunCell(last),
    ),
    column('drawing', t('workflow.run.drawing'), { from: 'medium' }, (workflow) => (
      <RunDrawing workflow={workflow} />
    )),
    actionsColumn((workflow) => <Actions {...context} workflow={workflow} />),
  ];
}

/** The names of the first nodes, and the number of others. */
function nodesLine({ first_nodes: names, node_count: count }: ListedWorkflow) {
  const line = names.join(', ');
  const more = count - names.length;
  return more > 0 ? t('workflow.more_nodes', { line, number: more }) : line;
}
