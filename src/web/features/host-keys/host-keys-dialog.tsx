import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconFingerprint, IconTrash } from '@tabler/icons-react';
import type { HostKey } from '#shared/api/host-keys.ts';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { QueryTable } from '../../resources/query-table.tsx';
import { toastFailure, useConfirmed } from '../../resources/use-confirmed.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { actionsColumn, column } from '../../resources/columns.ts';
import { forgetHostKey, forgetHostKeys, hostKeyQueries } from './host-keys.queries.ts';

interface Props {
  projectId: number;
  mayManage: boolean;
  opened: boolean;
  onClose: () => void;
}

export function HostKeysDialog({ opened, onClose, ...props }: Props) {
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
  const result = useQuery({ ...hostKeyQueries.list(projectId), staleTime: 0 });
  const forget = useMutation({ ...forgetHostKey(), onError: toastFailure });
  const forgetAll = useConfirmed({
    mutation: forgetHostKeys(),
    argsOf: (_asked: true) => ({ params: { project_id: projectId } }),
    wordsOf: () => ({
      title: t('host_key.forget_all'),
      text: t('host_key.forget_all_text'),
      action: t('host_key.forget'),
    }),
    done: () => t('host_key.all_forgotten'),
  });
  const ask = ({ id, host }: HostKey) =>
    forget.mutate(
      { params: { project_id: projectId, host_key_id: id } },
      { onSuccess: () => toast(t('host_key.forgotten', { host })) },
    );
  return (
    <>
      <QueryTable
        result={result}
        label={t('host_key.title')}
        columns={columnsOf(mayManage ? ask : null)}
        empty={
          <EmptyState
            icon={<IconFingerprint size={24} />}
            title={t('host_key.none')}
            text={t('host_key.hint')}
          />
        }
      >
        <p className="pb-8 soft">{t('host_key.hint')}</p>
      </QueryTable>
      {mayManage && result.data && result.data.length > 0 && (
        <div className="flex justify-end pt-14">
          <Button variant="default" onClick={() => forgetAll.ask(true)}>
            {t('host_key.forget_all')}
          </Button>
        </div>
      )}
      {forgetAll.dialog}
    </>
  );
}

function columnsOf(onForget: ((key: HostKey) => void) | null): Column<HostKey>[] {
  const actions: Column<HostKey> = actionsColumn((key) => (
    <IconButton
      label={t('host_key.forget_label', { host: key.host, type: key.type })}
      hint={t('host_key.forget')}
      icon={<IconTrash size={16} />}
      onClick={() => onForget?.(key)}
    />
  ));
  return [
    column('host', t('host_key.host'), { wide: true }, ({ host }) => (
      <span className="mono">{host}</span>
    )),
    { key: 'type', title: t('host_key.type'), from: 'medium', cell: ({ type }) => type },
    column('fingerprint', t('host_key.fingerprint'), { from: 'small' }, ({ fingerprint }) => (
      <span className="mono" title={fingerprint}>
        {fingerprint}
      </span>
    )),
    ...(onForget ? [actions] : []),
  ];
}
