import { Link } from '@tanstack/react-router';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { Workflow } from '#shared/api/workflows.ts';
import { TimeAgo } from '../../../lib/time-text.tsx';
import { RowMenu } from '../../../ui/buttons/row-menu.tsx';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { RowActions } from '../../../ui/lists/row-actions.tsx';
import { LaunchButton } from '../launch-button.tsx';
import { RunLink } from '../run-link.tsx';
import { RunChip } from '../run-status.tsx';
import classes from './workflow-list.module.css';

interface Context {
  mayRun: boolean;
  mayManage: boolean;
  onLaunched: (runId: number) => void;
  onEdit: (id: number) => void;
  onDelete: (workflow: Workflow) => void;
  /** Whether the status stands below the name, because there is no room for its column. */
  isNarrow: boolean;
  t: TFunction;
}

export function workflowColumns(context: Context): Column<Workflow>[] {
  const { t, isNarrow } = context;
  const status: Column<Workflow> = {
    key: 'status',
    title: t('task.column.status'),
    sortBy: ({ last_run: last }) => last?.status ?? '',
    cell: (workflow) => statusCell(workflow, t),
  };
  return [
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: (workflow) => (
        <span className={classes.name}>
          <NameLink workflow={workflow} />
          {isNarrow && statusCell(workflow, t)}
        </span>
      ),
    },
    ...(isNarrow ? [] : [status]),
    {
      key: 'nodes',
      title: t('workflow.nodes'),
      from: 'medium',
      cell: ({ graph }) => {
        const names = graph.nodes.map(({ name }) => name).join(', ');
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
      cell: ({ last_run: last }) =>
        last ? (
          <>
            <RunLink projectId={last.project_id} id={last.id} />{' '}
            <TimeAgo time={last.end ?? last.created} />
          </>
        ) : (
          '—'
        ),
    },
    actionsColumn(context),
  ];
}

function NameLink({ workflow }: { workflow: Workflow }) {
  const { id, project_id: projectId, name } = workflow;
  return (
    <Link
      to="/project/$projectId/workflows/$workflowId"
      params={{ projectId, workflowId: id }}
      className="cut"
      title={name}
    >
      {name}
    </Link>
  );
}

function statusCell({ last_run: last }: Workflow, t: TFunction) {
  if (!last) return <span className="soft">{t('workflow.not_run')}</span>;
  return <RunChip status={last.status} waitsFor={last.waits_for} />;
}

function actionsColumn(context: Context): Column<Workflow> {
  const { mayRun, mayManage, onLaunched, onEdit, onDelete, t } = context;
  return {
    key: 'actions',
    title: '',
    hiddenTitle: t('common.actions'),
    align: 'end',
    cell: (workflow) => (
      <RowActions>
        <LaunchButton workflow={workflow} mayRun={mayRun} onLaunched={onLaunched} quiet />
        {mayManage && (
          <RowMenu
            label={t('template.more_label', { name: workflow.name })}
            items={[
              {
                label: t('common.edit'),
                icon: <IconPencil size={16} />,
                onClick: () => onEdit(workflow.id),
              },
              {
                label: t('common.delete'),
                icon: <IconTrash size={16} />,
                onClick: () => onDelete(workflow),
                isDangerous: true,
              },
            ]}
          />
        )}
      </RowActions>
    ),
  };
}
