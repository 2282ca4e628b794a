import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconFingerprint, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import type { HostKey } from '#shared/api/host-keys.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { forgetHostKey, forgetHostKeys, hostKeyQueries } from './host-keys.queries.ts';

interface Props {
  projectId: number;
  mayManage: boolean;
  opened: boolean;
  onClose: () => void;
}

/** The ssh hosts whose keys the project has pinned at their first connection. */
export function HostKeysDialog({ opened, onClose, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('host_key.title')}
      size={720}
      help="host_keys"
    >
      <HostKeyTable {...props} />
    </Dialog>
  );
}

function HostKeyTable({ projectId, mayManage }: Pick<Props, 'projectId' | 'mayManage'>) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...hostKeyQueries.list(projectId), staleTime: 0 });
  const [isAsking, setAsking] = useState(false);
  const onError = (failed: Error) => toastError(errorWords(failed));
  const forget = useMutation({ ...forgetHostKey(), onError });
  const forgetAll = useMutation({
    ...forgetHostKeys(),
    onError,
    onSuccess: () => toast(t('host_key.all_forgotten')),
    onSettled: () => setAsking(false),
  });
  if (error && !data) return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  if (data?.length === 0) {
    return (
      <EmptyState
        icon={<IconFingerprint size={24} />}
        title={t('host_key.none')}
        text={t('host_key.hint')}
      />
    );
  }
  const ask = ({ id, host }: HostKey) =>
    forget.mutate(
      { params: { project_id: projectId, host_key_id: id } },
      { onSuccess: () => toast(t('host_key.forgotten', { host })) },
    );
  return (
    <>
      <p className="pb-8 soft">{t('host_key.hint')}</p>
      <DataTable
        label={t('host_key.title')}
        columns={columnsOf(t, mayManage ? ask : null)}
        rows={data}
        rowKey={({ id }) => id}
      />
      {mayManage && data && (
        <div className="flex justify-end pt-14">
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('host_key.forget_all')}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('host_key.forget_all')}
        text={t('host_key.forget_all_text')}
        action={t('host_key.forget')}
        busy={forgetAll.isPending}
        onConfirm={() => forgetAll.mutate({ params: { project_id: projectId } })}
      />
    </>
  );
}

function columnsOf(t: TFunction, onForget: ((key: HostKey) => void) | null): Column<HostKey>[] {
  const actions: Column<HostKey> = {
    key: 'actions',
    title: '',
    hiddenTitle: t('common.actions'),
    align: 'end',
    cell: (key) => (
      <IconButton
        label={t('host_key.forget_label', { host: key.host, type: key.type })}
        hint={t('host_key.forget')}
        icon={<IconTrash size={16} />}
        onClick={() => onForget?.(key)}
      />
    ),
  };
  return [
    {
      key: 'host',
      title: t('host_key.host'),
      wide: true,
      cell: ({ host }) => <span className="mono">{host}</span>,
    },
    { key: 'type', title: t('host_key.type'), from: 'medium', cell: ({ type }) => type },
    {
      key: 'fingerprint',
      title: t('host_key.fingerprint'),
      from: 'small',
      cell: ({ fingerprint }) => (
        <span className="mono" title={fingerprint}>
          {fingerprint}
        </span>
      ),
    },
    ...(onForget ? [actions] : []),
  ];
}
