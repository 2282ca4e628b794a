import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode } from 'react';
import type { Schedule } from '#shared/api/schedules.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { FireLog, type FireLogProps } from './fire-log.tsx';
import { useScheduleDelete } from './schedule-list.tsx';
import { nameOf } from './schedule-name.ts';
import classes from './schedule-page.module.css';
import { timingWords } from './timing-words.ts';
import { scheduleQueries } from './schedules.queries.ts';

const ScheduleDialog = lazy(async () => ({
  default: (await import('./schedule-dialog.tsx')).ScheduleDialog,
}));

interface Props extends FireLogProps {
  mayManage: boolean;
  address: EditAddress;
  onDeleted: () => void;
}

/** The page of one schedule, with its due times and their results. */
export function SchedulePage({ mayManage, address, onDeleted, ...log }: Props) {
  const { projectId, scheduleId } = log;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(scheduleQueries.one(projectId, scheduleId));
  const deletion = useScheduleDelete(projectId, onDeleted);
  const above = (
    <nav aria-label={t('common.breadcrumb')}>
      <Link to="/project/$projectId/schedules" params={{ projectId }}>
        {t('schedule.list')}
      </Link>
    </nav>
  );
  if (error && !data) {
    return (
      <Page title={t('schedule.one')} above={above}>
        <Failure message={errorWords(error)} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const actions = mayManage && data && (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        onClick={() => deletion.ask(data)}
      >
        {t('common.delete')}
      </Button>
      <Button leftSection={<IconPencil size={16} />} onClick={() => address.onEdit(data.id)}>
        {t('common.edit')}
      </Button>
    </>
  );
  return (
    <Page title={data ? nameOf(data) : t('schedule.one')} above={above} actions={actions}>
      <Facts projectId={projectId} schedule={data} mayManage={mayManage} />
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
    </Page>
  );
}

interface FactsProps {
  projectId: number;
  schedule: Schedule | undefined;
  mayManage: boolean;
}

function Facts({ projectId, schedule, mayManage }: FactsProps) {
  const { t } = useTranslation();
  const sentence = useQuery(scheduleQueries.sentence());
  const repositories = useQuery(repositoryQueries.list(projectId));
  const repository = (id: number) => repositories.data?.find((one) => one.id === id)?.name ?? '—';
  const fact = (name: string, value: (schedule: Schedule) => ReactNode) => (
    <div>
      <dt>{name}</dt>
      <dd className="break">{schedule ? value(schedule) : <Skeleton width={110} />}</dd>
    </div>
  );
  return (
    <dl className={classes.facts}>
      {fact(t('schedule.template'), ({ template_id: templateId, tpl_name }) => (
        <Link to="/project/$projectId/templates/$templateId" params={{ projectId, templateId }}>
          {tpl_name}
        </Link>
      ))}
      {fact(schedule?.run_at ? t('schedule.when.label') : t('schedule.cron'), (shown) => (
        <>
          {shown.cron_format && <code>{shown.cron_format}</code>}
          <div className="soft">{timingWords(t, shown, (cron) => sentence.data?.(cron))}</div>
        </>
      ))}
      {fact(t('schedule.time_zone'), ({ time_zone }) => time_zone)}
      {fact(t('schedule.next'), ({ next_due }) =>
        next_due === null ? '—' : <TimeAhead time={next_due} />,
      )}
      {fact(t('schedule.missed.label'), ({ missed }) => t(`schedule.missed.${missed}`))}
      {schedule?.repository_id != null &&
        fact(t('schedule.repository'), ({ repository_id: id }) => id !== null && repository(id))}
      {fact(t('schedule.active'), (shown) =>
        mayManage ? (
          <ActiveSwitch schedule={shown} />
        ) : shown.active ? (
          t('schedule.on')
        ) : (
          t('schedule.off')
        ),
      )}
    </dl>
  );
}
