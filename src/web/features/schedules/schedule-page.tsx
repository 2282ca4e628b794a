import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCalendarClock } from '@tabler/icons-react';
import type { Fire, Schedule } from '#shared/api/schedules.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo, TimeAhead } from '../../lib/time-text.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { Fact, Facts } from '../../ui/page/facts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { cursorOf } from '../../ui/lists/cursors.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { column, launchedColumn, type LaunchLinks } from '../../resources/columns.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import {
  ActiveSwitch,
  activeWords,
  FireChip,
  fireReason,
  timingWords,
} from './schedule-columns.tsx';
import { ScheduleTarget } from './target-link.tsx';
import { nameOf, scheduleQueries, scheduleResource } from './schedules.queries.ts';
import { EditablePage } from '../../resources/query-page.tsx';
import { PagedTable, type PageAddress } from '../../resources/paged-table.tsx';

const ScheduleDialog = lazyExport(() => import('./schedule-dialog.tsx'), 'ScheduleDialog');

interface Props extends FireLogProps {
  mayManage: boolean;
  address: EditAddress;
  onDeleted: () => void;
}

export function SchedulePage({ mayManage, address, onDeleted, ...log }: Props) {
  const { projectId, scheduleId } = log;
  const result = useQuery(scheduleQueries.one(projectId, scheduleId));
  return (
    <EditablePage
      title={result.data ? nameOf(result.data) : t('schedule.one')}
      above={
        <Link to="/project/$projectId/schedules" params={{ projectId }}>
          {t('schedule.list')}
        </Link>
      }
      result={result}
      resource={scheduleResource}
      scope={{ projectId }}
      Dialog={ScheduleDialog}
      mayManage={mayManage}
      address={address}
      onDeleted={onDeleted}
    >
      <ScheduleFacts projectId={projectId} schedule={result.data} mayManage={mayManage} />
      <Section title={t('schedule.fires')} text={t('schedule.fires_text')}>
        <FireLog {...log} />
      </Section>
    </EditablePage>
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
        <Fact name={t('starts.label')}>{schedule && <ScheduleTarget schedule={schedule} />}</Fact>
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

interface FireLogProps extends PageAddress, LaunchLinks {
  projectId: number;
  scheduleId: number;
}

function FireLog({ projectId, scheduleId, trail, onTrail, ...links }: FireLogProps) {
  return (
    <PagedTable
      result={useQuery(scheduleQueries.fires(projectId, scheduleId, cursorOf(trail)))}
      trail={trail}
      onTrail={onTrail}
      label={t('schedule.fires')}
      columns={columns(links)}
      none={
        <EmptyState
          icon={<IconCalendarClock size={24} />}
          title={t('schedule.no_fires.title')}
          text={t('schedule.no_fires.text')}
        />
      }
    />
  );
}

const columns = (links: LaunchLinks): Column<Fire>[] => [
  { key: 'due', title: t('schedule.due'), cell: ({ due }) => <TimeAgo time={due} /> },
  column('result', t('schedule.result.label'), {}, ({ result }) => <FireChip result={result} />),
  launchedColumn(links, {}),
  column('reason', t('delivery.why'), { wide: true, from: 'small' }, (fire) => (
    <span title={fireReason(fire)}>{fireReason(fire) || '—'}</span>
  )),
  column('commit', t('task.fact.commit'), { from: 'medium' }, ({ commit_hash: hash }) =>
    hash === null ? '—' : <code>{hash.slice(0, 8)}</code>,
  ),
];
