import { Link } from '@tanstack/react-router';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { OverviewTask, Pin } from '#shared/api/overview.ts';
import { t } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { DryRunBadge } from '../../../ui/feedback/dry-run-badge.tsx';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';

type TaskNames = Pick<
  OverviewTask,
  'project_id' | 'project_name' | 'template_id' | 'template_name'
>;

/** The lists of tasks. Only active tasks differ in their status. */
export type Kind = 'failed' | 'active';

export function taskColumns(kind: Kind): Column<OverviewTask>[] {
  return [
    {
      key: 'task',
      title: t('task.column.task'),
      wide: 'most',
      cell: (task) => <Name task={task} isMarked={kind !== 'active'} />,
    },
    project(),
    ...(kind === 'active' ? [status()] : []),
    launchedByColumn(({ user_name: user }) => user),
    timeOf[kind](),
  ];
}

export function pinColumns(): Column<Pin>[] {
  return [
    {
      key: 'template',
      title: t('template.one'),
      wide: 'most',
      cell: (pin) => (
        <span className="column items-start">
          <TemplateLink {...pin} />
          <span className="block max-w-full small soft narrow-only">{pin.project_name}</span>
        </span>
      ),
    },
    project(),
    {
      key: 'status',
      title: t('template.column.last_task'),
      cell: ({ last_task: task }) => (
        <TaskStatusChip task={task && { ...task, start: null, expected_s: null }} />
      ),
    },
    {
      key: 'end',
      title: t('template.launched'),
      from: 'medium',
      cell: ({ last_task: task }) => <TimeAgo time={task?.created ?? null} />,
    },
    {
      key: 'actions',
      title: '',
      hiddenTitle: t('common.actions'),
      align: 'end',
      cell: (pin) => pin.may_run && <RunLink {...pin} />,
    },
  ];
}

const status = (): Column<OverviewTask> => ({
  key: 'status',
  title: t('task.column.status'),
  cell: (task) => <TaskStatusChip task={{ ...task, expected_s: null }} />,
});

const duration = (): Column<OverviewTask> => ({
  key: 'duration',
  title: t('task.column.duration'),
  from: 'small',
  cell: ({ start, end }) => <Duration start={start} end={end} />,
});

const ended = (): Column<OverviewTask> => ({
  key: 'end',
  title: t('history.period'),
  cell: ({ end }) => <TimeAgo time={end} />,
});

const timeOf = { active: duration, failed: ended };

const project = <Row extends TaskNames>(): Column<Row> => ({
  key: 'project',
  title: t('admin.column.project'),
  from: 'small',
  cell: ({ project_id: projectId, project_name: name }) => (
    <Link to="/project/$projectId" params={{ projectId }} title={name}>
      {name}
    </Link>
  ),
});

/**
 * The number and the template of a task, with the project below in narrow lists. Without a status,
 * the name has the mark of a dry run.
 */
function Name({ task, isMarked }: { task: OverviewTask; isMarked: boolean }) {
  const { id, project_id: projectId, template_name: name, project_name } = task;
  return (
    <span className="column items-start">
      <Link
        to="/project/$projectId/tasks/$taskId"
        params={{ projectId, taskId: id }}
        title={name}
        className="max-w-full cut"
      >
        <span className="numbers">#{id}</span> {name}
      </Link>
      {isMarked && task.dry_run && <DryRunBadge />}
      <span className="block max-w-full small soft narrow-only">{project_name}</span>
    </span>
  );
}

const templatePage = '/project/$projectId/templates/$templateId' as const;

const TemplateLink = ({
  project_id: projectId,
  template_id: templateId,
  template_name,
}: TaskNames) => (
  <Link
    to={templatePage}
    params={{ projectId, templateId }}
    title={template_name}
    className="max-w-full cut"
  >
    {template_name}
  </Link>
);

/** Opens the template with its launch dialog. */
function RunLink({ project_id: projectId, template_id: templateId, ...pin }: Pin) {
  const verb = (['build', 'deploy'] as const).find((type) => type === pin.template_type) ?? 'run';
  return (
    <Link
      to={templatePage}
      params={{ projectId, templateId }}
      search={{ run: templateId }}
      preload={false}
      className="inline-flex items-center gap-4 small weight-550 color-text border-strong rounded-6 hover no-underline"
      style={{ padding: '3px 10px' }}
      aria-label={t(`template.${verb}_label`, { name: pin.template_name })}
    >
      <IconPlayerPlay size={14} aria-hidden="true" />
      <span className="narrow-hidden">{t(`task.${verb}`)}</span>
    </Link>
  );
}
