import { IconShieldOff, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { User } from '#shared/api/users.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { ResourceList } from '../../resources/resource-list.tsx';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import { CheckMark } from '../../ui/feedback/check-mark.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import type { ListAddress } from '../../ui/lists/list.tsx';
import { sortedColumn } from '../../resources/columns.ts';
import { roomForCharacters } from '../../ui/lists/column-room.ts';
import { removeFactor, userQueries, userResource } from './users.queries.ts';

const UserDialog = lazyExport(() => import('./user-dialog.tsx'), 'UserDialog');

interface Props {
  selfId: number;
  address: ListAddress & EditAddress;
  above: ReactNode;
  tabs: ReactNode;
}

export function UserList({ selfId, ...screen }: Props) {
  const removal = useRemoveFactor();
  return (
    <ResourceList
      {...screen}
      mayManage
      resource={userResource}
      scope={{ selfId }}
      query={userQueries.list()}
      Dialog={UserDialog}
      columns={columnsOf()}
      textOf={({ name, username, email }) => `${name} ${username} ${email}`}
      pageSize={20}
      empty={<EmptyState icon={<IconUsers size={24} />} title={t('user.list')} />}
      refuseDelete={({ id }) => (id === selfId ? t('user.delete_self') : null)}
      // Users remove their own second factor in their account, with their password.
      renderActions={(user) =>
        user.second_factor &&
        user.id !== selfId && (
          <IconButton
            label={`${t('user.remove_factor')}: ${user.name}`}
            hint={t('user.remove_factor')}
            icon={<IconShieldOff size={16} />}
            onClick={() => removal.ask(user)}
          />
        )
      }
    >
      {removal.dialog}
    </ResourceList>
  );
}

const useRemoveFactor = () =>
  useConfirmed({
    mutation: removeFactor(),
    argsOf: ({ id }: User) => ({ params: { user_id: id } }),
    wordsOf: (user) => ({
      title: t('user.remove_factor'),
      text: t('user.remove_factor_text', { name: user?.name ?? '' }),
      action: t('second_factor.remove'),
    }),
    done: ({ name }) => t('user.factor_removed', { name }),
  });

function columnsOf(): Column<User>[] {
  return [
    sortedColumn(
      'username',
      t('user.username'),
      { from: 'small', room: roomForCharacters(16) },
      ({ username }) => username,
    ),
    {
      key: 'email',
      title: t('user.email'),
      from: 'medium',
      room: roomForCharacters(24),
      sortBy: ({ email }) => email,
      // Users of an identity provider may have their login as e-mail.
      cell: ({ email }) => (email.includes('@') ? email : '—'),
    },
    flag('alert', t('user.column.alert')),
    flag('admin', t('user.column.admin')),
    flag('external', t('user.column.external')),
    flag('second_factor', t('user.column.second_factor')),
  ];
}

const flag = (
  key: 'alert' | 'admin' | 'external' | 'second_factor',
  title: string,
): Column<User> => ({
  key,
  title,
  from: 'medium',
  sortBy: (user) => Number(user[key]),
  cell: (user) => <CheckMark on={user[key]} />,
});
