import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { IconPlayerPlay } from '@tabler/icons-react';
import { MAX_OVERVIEW_TASKS, type OverviewTask, type Pin } from '#shared/api/overview.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { DryRunBadge } from '../../../ui/feedback/dry-run-badge.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { actionsColumn, column } from '../../../resources/columns.ts';
import { TaskStatusChip } from '../task-status-chip.tsx';
import { overviewQueries } from './overview.queries.ts';
import { ProjectCards } from './project-cards.tsx';
import { WaitingList } from './waiting-list.tsx';
import { ProjectLink, TemplateLink } from '../../../resources/links.tsx';

/** Few of each list, so that all lists fit on the screen. */
const shownAtFirst = 5;

interface Props {
  renderAvatar: (project: { id: number; name: string }) => ReactNode;
}

export function OverviewView({ renderAvatar }: Props) {
  const { data, error, refetch } = useQuery(overviewQueries.tasks());
  const { data: approvals = [] } = useQuery(overviewQueries.approvals());
  const { data: projects } = useQuery(overviewQueries.projects());
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const waiting = data?.to_confirm ?? [];
  return (
    <>
      {waiting.length + approvals.length > 0 && (
        <WaitingList tasks={waiting} approvals={approvals} />
      )}
      <ProjectCards data={projects} renderAvatar={renderAvatar} />
      <Tasks
        title={t('overview.failed')}
        tasks={data?.failed}
        none={t('overview.none_failed')}
        kind="failed"
      />
      <Tasks
        title={t('overview.active')}
        tasks={data?.active}
        none={t('stats.nothing_now')}
        kind="active"
      />
      <Pins />
    </>
  );
}

interface TasksProps {
  title: string;
  tasks: OverviewTask[] | undefined;
  /** The text of an empty list. */
  none: string;
  kind: Kind;
}

function Tasks({ title, tasks, none, kind }: TasksProps) {
  const [isWhole, setWhole] = useState(false);
  const rest = isWhole || !tasks ? 0 : tasks.length - shownAtFirst;
  return (
    <Section title={title}>
      {tasks?.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <DataTable
          label={title}
          columns={taskColumns(kind)}
          rows={isWhole ? tasks : tasks?.slice(0, shownAtFirst)}
          rowKey={({ id }) => id}
          expectedRows={3}
        />
      )}
      {rest > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t('stats.more', { count: rest })}
        </Button>
      )}
      {isWhole && tasks?.length === MAX_OVERVIEW_TASKS && (
        <p className="soft">{t('stats.many_more')}</p>
      )}
    </Section>
  );
}

function Pins() {
  const { data } = useQuery(overviewQueries.livePins());
  return (
    <Section title={t('overview.pins')}>
      {data?.length === 0 ? (
        <p className="soft">{t('overview.none_pinned')}</p>
      ) : (
        <DataTable
          label={t('overview.pins')}
          columns={pinColumns()}
          rows={data}
          rowKey={({ template_id: id }) => id}
          expectedRows={3}
        />
      )}
    </Section>
  );
}

type TaskNames = Pick<
  OverviewTask,
  'project_id' | 'project_name' | 'template_id' | 'template_name'
>;

/** The lists of tasks. Only active tasks differ in their status. */
type Kind = 'failed' | 'active';

function taskColumns(kind: Kind): Column<OverviewTask>[] {
  return [
    column('task', t('task.column.task'), { wide: 'most' }, (task) => (
      <Name task={task} isMarked={kind !== 'active'} />
    )),
    project(),
    ...(kind === 'active' ? [status()] : []),
    launchedByColumn(({ user_name: user }) => user),
    timeOf[kind](),
  ];
}

function pinColumns(): Column<Pin>[] {
  return [
    column('template', t('template.one'), { wide: 'most' }, (pin) => (
      <span className="column items-start">
        <TemplateLink
          projectId={pin.project_id}
          templateId={pin.template_id}
          name={pin.template_name}
          className="max-w-full cut"
        />
        <span className="block max-w-full small soft narrow-only">{pin.project_name}</span>
      </span>
    )),
    project(),
    column('status', t('template.column.last_task'), {}, ({ last_task: task }) => (
      <TaskStatusChip task={task && { ...task, start: null, expected_s: null }} />
    )),
    column('end', t('workflow.last_run'), { from: 'medium' }, ({ last_task: task }) => (
      <TimeAgo time={task?.created ?? null} />
    )),
    actionsColumn((pin) => pin.may_run && <RunLink {...pin} />),
  ];
}

const status = (): Column<OverviewTask> =>
  column('status', t('task.column.status'), {}, (task) => (
    <TaskStatusChip task={{ ...task, expected_s: null }} />
  ));

const duration = (): Column<OverviewTask> =>
  column(
    'duration',
    t('task.column.duration'),
    { from: 'small', align: 'end' },
    ({ start, end }) => <Duration start={start} end={end} />,
  );

const ended = (): Column<OverviewTask> =>
  column('end', t('history.period'), {}, ({ end }) => <TimeAgo time={end} />);

const timeOf = { active: duration, failed: ended };

const project = <Row extends TaskNames>(): Column<Row> =>
  column('project', t('admin.column.project'), { from: 'small' }, (task) => (
    <ProjectLink projectId={task.project_id} name={task.project_name} />
  ));

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

/** Opens the template with its launch dialog. */
function RunLink({ project_id: projectId, template_id: templateId, ...pin }: Pin) {
  const verb = (['build', 'deploy'] as const).find((type) => type === pin.template_type) ?? 'run';
  return (
    <Link
      to="/project/$projectId/templates/$templateId"
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
