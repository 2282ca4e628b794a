import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconBell, IconPlus } from '@tabler/icons-react';
import { lazy, type ReactNode } from 'react';
import { type AlertChannel, alertChannels } from '#shared/api/alert-channels.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { List, type ListAddress } from '../../ui/lists/list.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import { alertChannelQueries, testAlertChannel } from './alert-channels.queries.ts';
import { channelColumns } from './channel-columns.tsx';

const ChannelDialog = lazy(async () => ({
  default: (await import('./channel-dialog.tsx')).ChannelDialog,
}));

interface Props {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

const nameIn = (list: { id: number; name: string }[] | undefined, id: number): string =>
  list?.find((one) => one.id === id)?.name ?? '—';

/** The alert channels of the project. */
export function ChannelList({ projectId, mayManage, address }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(alertChannelQueries.list(projectId));
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  const { edit, onEdit } = address;
  const test = useTest(projectId);
  const deletion = useDelete<AlertChannel>({
    projectId,
    remove: alertChannels.remove,
    refresh: [alertChannels.list],
    params: ({ id }) => ({ project_id: projectId, alert_channel_id: id }),
    onDeleted: ({ name }) => toast(t('alert.channel_deleted', { name })),
    onFailed: toastError,
  });
  const { opened, onClose, busy, onConfirm } = deletion.dialog;
  const columns = channelColumns({
    t,
    mayManage,
    limitsOf: ({ template_ids, workflow_ids }) => [
      ...template_ids.map((id) => nameIn(templates.data, id)),
      ...workflow_ids.map((id) => nameIn(workflows.data, id)),
    ],
    testing: test.testing,
    onTest: test.run,
    onEdit,
    onDelete: deletion.ask,
  });
  return (
    <>
      <List
        label={t('alert.channels')}
        rows={data}
        rowKey={({ id }) => id}
        columns={columns}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, type }) => `${name} ${t(`alert.types.${type}`)}`}
        address={address}
        empty={
          <NoChannels mayManage={mayManage}>
            {mayManage && <NewChannelButton onClick={() => onEdit('new')} />}
          </NoChannels>
        }
      />
      <OnceOpened opened={edit !== null}>
        <ChannelDialog projectId={projectId} edit={edit} onClose={() => onEdit(null)} />
      </OnceOpened>
      <ConfirmDialog
        opened={opened}
        onClose={onClose}
        title={t('alert.delete_channel')}
        text={t('alert.delete_channel_text', { name: deletion.thing?.name ?? '' })}
        action={t('common.delete')}
        busy={busy}
        onConfirm={onConfirm}
      />
    </>
  );
}

export function NewChannelButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={onClick}>
      {t('alert.new_channel')}
    </Button>
  );
}

function NoChannels({ mayManage, children }: { mayManage: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<IconBell size={24} />}
      title={t('alert.no_channels.title')}
      text={mayManage ? t('alert.no_channels.text') : t('alert.no_channels.text_read_only')}
    >
      {children}
    </EmptyState>
  );
}

/** Sends a test message through a channel, and shows whether it was delivered. */
function useTest(projectId: number) {
  const { t } = useTranslation();
  const test = useMutation(testAlertChannel());
  const run = ({ id, name }: AlertChannel) =>
    test.mutate(
      { params: { project_id: projectId, alert_channel_id: id } },
      {
        onSuccess: ({ delivered, status, error_code: code }) => {
          const answer = status === null ? '' : ` ${t('alert.answered', { status })}`;
          if (delivered) toast(`${name}: ${t('alert.test_sent')}${answer}`);
          else {
            const reason = t(`alert_errors.${code ?? 'internal'}`);
            toastError(`${name}: ${t('alert.test_failed', { reason })}${answer}`);
          }
        },
        onError: (error) => toastError(errorWords(error)),
      },
    );
  const testing = test.isPending ? test.variables.params.alert_channel_id : null;
  return { run, testing };
}
