import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPlus } from '@tabler/icons-react';
import type { Schedule } from '#shared/api/schedules.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { Section } from '../../ui/page/section.tsx';
import { nameOf, scheduleQueries } from './schedules.queries.ts';
import { timingWords } from './schedule-columns.tsx';

const ScheduleDialog = lazyExport(() => import('./schedule-dialog.tsx'), 'ScheduleDialog');

interface Props {
  projectId: number;
  workflowId: number;
  mayManage: boolean;
  address: EditAddress;
}

/** The schedules that start a workflow, with their next due times; null if there can be none. */
export function WorkflowSchedules({ projectId, workflowId, mayManage, address }: Props) {
  const { data, error, refetch } = useQuery(scheduleQueries.ofWorkflow(projectId, workflowId));
  if (!mayManage && data?.length === 0) return null;
  return (
    <Section
      title={t('schedule.list')}
      actions={
        mayManage && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => address.onEdit('new')}
          >
            {t('schedule.new')}
          </Button>
        )
      }
    >
      {error && !data && <QueryFailure error={error} refetch={refetch} />}
      {data?.length === 0 && <p className="soft">{t('schedule.none.title')}</p>}
      {data && data.length > 0 && (
        <ul className="column gap-8">
          {data.map((schedule) => (
            <li key={schedule.id} className="flex wrap" style={{ gap: '2px 12px' }}>
              <ScheduleLine schedule={schedule} />
            </li>
          ))}
        </ul>
      )}
      <OnceOpened opened={address.edit !== null}>
        <ScheduleDialog
          projectId={projectId}
          workflowId={workflowId}
          edit={address.edit}
          onClose={() => address.onEdit(null)}
        />
      </OnceOpened>
    </Section>
  );
}

function ScheduleLine({ schedule }: { schedule: Schedule }) {
  const sentence = useQuery(scheduleQueries.sentence());
  const { project_id: projectId, id: scheduleId, active, next_due: next } = schedule;
  return (
    <>
      <Link
        to="/project/$projectId/schedules/$scheduleId"
        params={{ projectId, scheduleId }}
        className="break"
      >
        {nameOf(schedule)}
      </Link>
      <span className="soft">{timingWords(schedule, (cron) => sentence.data?.(cron))}</span>
      <span>{active && next ? <TimeAhead time={next} /> : t('schedule.off')}</span>
    </>
  );
}
