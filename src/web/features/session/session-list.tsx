import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconLogout } from '@tabler/icons-react';
import type { Session } from '#shared/api/session.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { QueryTable } from '../../resources/query-table.tsx';
import { toastFailure, useConfirmed } from '../../resources/use-confirmed.tsx';
import { Chip } from '../../ui/feedback/chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { endOtherSessions, endSession, sessionQueries } from './session.queries.ts';
import { shownUserAgent } from './user-agent.ts';

export function SessionList() {
  const result = useQuery(sessionQueries.list());
  const end = useMutation({
    ...endSession(),
    onError: toastFailure,
    onSuccess: () => toast(t('account.session_ended')),
  });
  const others = result.data?.filter(({ current }) => !current) ?? [];
  const endOthers = useConfirmed({
    mutation: endOtherSessions(),
    argsOf: (_asked: true) => ({}),
    wordsOf: () => ({
      title: t('account.end_others'),
      text: t('account.end_others_text', { count: others.length }),
      action: t('account.end_others_action'),
    }),
    done: () => t('account.sessions_ended'),
  });
  return (
    <>
      <QueryTable
        result={result}
        label={t('account.sessions')}
        columns={columnsOf((id) => end.mutate({ params: { session_id: id } }))}
        expectedRows={2}
        empty={null}
      >
        <p className="soft" style={{ padding: '16px 0 8px' }}>
          {t('account.sessions_text')}
        </p>
      </QueryTable>
      {others.length > 0 && (
        <div className="flex justify-end pt-14">
          <Button variant="default" onClick={() => endOthers.ask(true)}>
            {t('account.end_others')}
          </Button>
        </div>
      )}
      {endOthers.dialog}
    </>
  );
}

function columnsOf(onEnd: (id: number) => void): Column<Session>[] {
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
