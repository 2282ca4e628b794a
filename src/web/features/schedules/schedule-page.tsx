import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCalendarClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Fire, Schedule } from '#shared/api/schedules.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo, TimeAhead } from '../../lib/time-text.tsx';
import { useDeletion } from '../../resources/use-deletion.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Fact, Facts } from '../../ui/page/facts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { ResourceButtons, ResourcePage } from '../../ui/page/resource-page.tsx';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { CursorPager } from '../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import {
  ActiveSwitch,
  activeWords,
  FireChip,
  fireReason,
  timingWords,
} from './schedule-columns.tsx';
import { TargetLink } from './target-link.tsx';
import { nameOf, scheduleQueries, scheduleResource } from './schedules.queries.ts';

const ScheduleDialog = lazyExport(() => import('./schedule-dialog.tsx'), 'ScheduleDialog');

interface Props extends FireLogProps {
  mayManage: boolean;
  address: EditAddress;
  onDeleted: () => void;
}

export function SchedulePage({ mayManage, address, onDeleted, ...log }: Props) {
  const { projectId, scheduleId } = log;
  const { data, error, refetch } = useQuery(scheduleQueries.one(projectId, scheduleId));
  const deletion = useDeletion(scheduleResource, { projectId }, { onDeleted });
  return (
    <ResourcePage
      title={data ? nameOf(data) : t('schedule.one')}
      above={
        <Link to="/project/$projectId/schedules" params={{ projectId }}>
          {t('schedule.list')}
        </Link>
      }
      failure={error && !data ? errorWords(error) : null}
      onRetry={() => void refetch()}
      actions={
        mayManage &&
        data && (
          <ResourceButtons
            onDelete={() => deletion.ask(data)}
            onEdit={() => address.onEdit(data.id)}
          />
        )
      }
    >
      <ScheduleFacts projectId={projectId} schedule={data} mayManage={mayManage} />
      <Section title={t('schedule.fires')} text={t('schedule.fires_text')}>
        <FireLog {...log} />
      </Section>
      <OnceOpened opened={address.edit !== null}>
        <ScheduleDialog
          projectId={projectId}
          edit={address.edit}
          onClose={() => address.onEdit(null)}
        />
      </OnceOpened>
      {deletion.dialog}
    </ResourcePage>
  );
}

interface FactsProps {
  projectId: number;
  schedule: Schedule | undefined;
  mayManage: boolean;
}

function ScheduleFacts({ projectId, schedule, mayManage }: FactsProps) {
  const sentence = useQuery(scheduleQueries.sentence());
  return (
    <div className="pb-20">
      <Facts isLoading={!schedule}>
        <Fact name={t('starts.label')}>{schedule && <TargetLink schedule={schedule} />}</Fact>
        <Fact name={schedule?.run_at ? t('schedule.when.label') : t('schedule.cron')}>
          {schedule && (
            <>
              {schedule.cron_format && <code>{schedule.cron_format}</code>}
              <div className="soft">{timingWords(schedule, (cron) => sentence.data?.(cron))}</div>
            </>
          )}
        </Fact>
        <Fact name={t('schedule.time_zone')}>{schedule?.time_zone}</Fact>
        <Fact name={t('schedule.next')}>
          {schedule && (schedule.next_due ? <TimeAhead time={schedule.next_due} /> : '—')}
        </Fact>
        <Fact name={t('schedule.missed.label')}>
          {schedule && t(`schedule.missed.${schedule.missed}`)}
        </Fact>
        {schedule?.repository_id != null && (
          <RepositoryFact projectId={projectId} id={schedule.repository_id} />
        )}
        <Fact name={t('schedule.active')}>
          {schedule && (mayManage ? <ActiveSwitch schedule={schedule} /> : activeWords(schedule))}
        </Fact>
      </Facts>
    </div>
  );
}

function RepositoryFact({ projectId, id }: { projectId: number; id: number }) {
  const { data } = useQuery(repositoryQueries.list(projectId));
  return (
    <Fact name={t('schedule.repository')}>{data?.find((one) => one.id === id)?.name ?? '—'}</Fact>
  );
}

interface FireLogProps {
  projectId: number;
  scheduleId: number;
  trail: Trail;
  onTrail: (trail: Trail) => void;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

function FireLog({ projectId, scheduleId, trail, onTrail, ...links }: FireLogProps) {
  const before = cursorOf(trail);
  const { data, error, refetch } = useQuery(scheduleQueries.fires(projectId, scheduleId, before));
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.items.length === 0 && !trail) {
    return (
      <EmptyState
        icon={<IconCalendarClock size={24} />}
        title={t('schedule.no_fires.title')}
        text={t('schedule.no_fires.text')}
      />
    );
  }
  return (
    <>
      <DataTable
        label={t('schedule.fires')}
        columns={columns(links)}
        rows={data?.items}
        rowKey={({ id }) => id}
      />
      <CursorPager trail={trail} onTrail={onTrail} next={data?.next ?? null} />
    </>
  );
}

type Links = Pick<FireLogProps, 'renderTask' | 'renderRun'>;

const columns = ({ renderTask, renderRun }: Links): Column<Fire>[] => [
  { key: 'due', title: t('schedule.due'), cell: ({ due }) => <TimeAgo time={due} /> },
  {
    key: 'result',
    title: t('schedule.result.label'),
    cell: ({ result }) => <FireChip result={result} />,
  },
  {
    key: 'launched',
    title: t('starts.launched'),
    cell: ({ task_id: task, workflow_run_id: run }) =>
      task !== null ? renderTask(task) : run !== null ? renderRun(run) : '—',
  },
  {
    key: 'reason',
    title: t('delivery.why'),
    wide: true,
    from: 'small',
    cell: (fire) => <span title={fireReason(fire)}>{fireReason(fire) || '—'}</span>,
  },
  {
    key: 'commit',
    title: t('task.fact.commit'),
    from: 'medium',
    cell: ({ commit_hash: hash }) => (hash === null ? '—' : <code>{hash.slice(0, 8)}</code>),
  },
];
