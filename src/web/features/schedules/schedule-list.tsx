import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCalendarClock, IconPlus } from '@tabler/icons-react';
import { lazy, type ReactNode } from 'react';
import { type Schedule, schedules } from '#shared/api/schedules.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { List, type ListAddress } from '../../ui/lists/list.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { scheduleColumns } from './schedule-columns.tsx';
import { nameOf } from './schedule-name.ts';
import { scheduleQueries } from './schedules.queries.ts';

const ScheduleDialog = lazy(async () => ({
  default: (await import('./schedule-dialog.tsx')).ScheduleDialog,
}));

interface Props {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

export function ScheduleList({ projectId, mayManage, address, ...links }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(scheduleQueries.list(projectId));
  const sentence = useQuery(scheduleQueries.sentence());
  const deletion = useScheduleDelete(projectId);
  const { edit, onEdit } = address;
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {t('schedule.new')}
    </Button>
  );
  const sentenceOf = (cron: string) => sentence.data?.(cron) ?? '';
  return (
    <Page title={t('schedule.list')} actions={add}>
      <List
        label={t('schedule.list')}
        rows={data}
        rowKey={({ id }) => id}
        columns={scheduleColumns({
          t,
          mayManage,
          sentenceOf,
          ...links,
          onEdit,
          onDelete: deletion.ask,
        })}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, tpl_name, workflow_name, cron_format }) =>
          `${name} ${tpl_name ?? workflow_name} ${cron_format}`
        }
        address={address}
        empty={
          <EmptyState
            icon={<IconCalendarClock size={24} />}
            title={t('schedule.none.title')}
            text={mayManage ? t('schedule.none.text') : t('schedule.none.text_read_only')}
          >
            {add}
          </EmptyState>
        }
      />
      <OnceOpened opened={edit !== null}>
        <ScheduleDialog projectId={projectId} edit={edit} onClose={() => onEdit(null)} />
      </OnceOpened>
      {deletion.dialog}
    </Page>
  );
}

/** Asks before a schedule is deleted, and deletes it. */
export function useScheduleDelete(projectId: number, onDeleted: () => void = () => {}) {
  const { t } = useTranslation();
  const { thing, ask, dialog } = useDelete<Schedule>({
    projectId,
    remove: schedules.remove,
    refresh: [schedules.list, schedules.ofTemplate],
    params: ({ id }) => ({ project_id: projectId, schedule_id: id }),
    onDeleted: (schedule) => {
      toast(t('schedule.deleted', { name: nameOf(schedule) }));
      onDeleted();
    },
    onFailed: toastError,
  });
  return {
    ask,
    dialog: (
      <ConfirmDialog
        opened={dialog.opened}
        onClose={dialog.onClose}
        title={t('schedule.delete')}
        text={t('schedule.delete_text', { name: thing ? nameOf(thing) : '' })}
        action={t('common.delete')}
        busy={dialog.busy}
        onConfirm={dialog.onConfirm}
      />
    ),
  };
}
