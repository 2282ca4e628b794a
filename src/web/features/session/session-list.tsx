import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconLogout } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import type { Session } from '#shared/api/session.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { Chip } from '../../ui/feedback/chip.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { endOtherSessions, endSession, sessionQueries } from './session.queries.ts';
import { shownUserAgent } from './user-agent.ts';

/** The sessions of the signed-in user. */
export function SessionList() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(sessionQueries.list());
  const [isAsking, setAsking] = useState(false);
  const onError = (failed: Error) => toastError(errorWords(failed));
  const end = useMutation({
    ...endSession(),
    onError,
    onSuccess: () => toast(t('account.session_ended')),
  });
  const endOthers = useMutation({
    ...endOtherSessions(),
    onError,
    onSuccess: () => toast(t('account.sessions_ended')),
    onSettled: () => setAsking(false),
  });
  if (error && !data) return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  const others = data?.filter(({ current }) => !current) ?? [];
  return (
    <>
      <p className="soft" style={{ padding: '16px 0 8px' }}>
        {t('account.sessions_text')}
      </p>
      <DataTable
        label={t('account.sessions')}
        columns={columnsOf(t, (id) => end.mutate({ params: { session_id: id } }))}
        rows={data}
        rowKey={({ id }) => id}
        expectedRows={2}
      />
      {others.length > 0 && (
        <div className="flex justify-end pt-14">
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('account.end_others')}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('account.end_others')}
        text={t('account.end_others_text', { count: others.length })}
        action={t('account.end_others_action')}
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate({})}
      />
    </>
  );
}

function columnsOf(t: TFunction, onEnd: (id: number) => void): Column<Session>[] {
  return [
    {
      key: 'program',
      title: t('account.program'),
      wide: true,
      cell: ({ user_agent: agent }) => (
        <span title={agent}>{shownUserAgent(agent) || t('account.unknown_program')}</span>
      ),
    },
    {
      key: 'ip',
      title: t('account.ip'),
      from: 'small',
      cell: ({ ip }) => <span className="mono">{ip}</span>,
    },
    {
      key: 'created',
      title: t('account.signed_in'),
      from: 'medium',
      cell: ({ created }) => <TimeAgo time={created} />,
    },
    {
      key: 'active',
      title: t('account.last_active'),
      cell: ({ last_active: time, current }) =>
        current ? (
          <Chip tone="success">{t('account.current_session')}</Chip>
        ) : (
          <TimeAgo time={time} />
        ),
    },
    {
      key: 'actions',
      title: '',
      hiddenTitle: t('common.actions'),
      align: 'end',
      cell: ({ id, user_agent: agent, ip, current }) =>
        !current && (
          <IconButton
            label={t('account.end_label', { program: shownUserAgent(agent), ip })}
            hint={t('account.end')}
            icon={<IconLogout size={16} />}
            onClick={() => onEnd(id)}
          />
        ),
    },
  ];
}
