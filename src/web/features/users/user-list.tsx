import { useQuery } from '@tanstack/react-query';
import { IconShieldOff, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { User } from '#shared/api/users.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { AddButton } from '../../resources/resource-list.tsx';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import { useDeletion } from '../../resources/use-deletion.tsx';
import { CheckMark } from '../../ui/feedback/check-mark.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { editColumn, EditLink } from '../../ui/lists/row-actions.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { List, type ListAddress } from '../../ui/lists/list.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { isWhole, removeFactor, userQueries, userResource } from './users.queries.ts';

const UserDialog = lazyExport(() => import('./user-dialog.tsx'), 'UserDialog');

interface Props {
  selfId: number;
  address: ListAddress & EditAddress;
  above: ReactNode;
  tabs: ReactNode;
}

export function UserList({ selfId, address, above, tabs }: Props) {
  const { data, error, refetch } = useQuery(userQueries.list());
  const deletion = useDeletion(userResource, { selfId });
  const removal = useRemoveFactor();
  const { edit, onEdit } = address;
  const refuseDelete = ({ id }: User) => (id === selfId ? t('user.delete_self') : null);
  // Users remove their own second factor in their account, with their password.
  const more = (user: User) =>
    user.second_factor &&
    user.id !== selfId && (
      <IconButton
        label={`${t('user.remove_factor')}: ${user.name}`}
        hint={t('user.remove_factor')}
        icon={<IconShieldOff size={16} />}
        onClick={() => removal.ask(user)}
      />
    );
  const actions = editColumn<User>({
    nameOf: userResource.nameOf,
    onEdit,
    onDelete: deletion.ask,
    refuseDelete,
    more,
  });
  return (
    <Page
      title={t('user.list')}
      above={above}
      tabs={tabs}
      actions={<AddButton noun="user" address={address} />}
    >
      <List
        label={t('user.list')}
        rows={data?.filter(isWhole)}
        rowKey={({ id }) => id}
        columns={[...columnsOf(), actions]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, username, email }) => `${name} ${username} ${email}`}
        address={address}
        pageSize={20}
        empty={<EmptyState icon={<IconUsers size={24} />} title={t('user.list')} />}
      />
      <OnceOpened opened={edit !== null}>
        <UserDialog edit={edit} selfId={selfId} onClose={() => onEdit(null)} />
      </OnceOpened>
      {deletion.dialog}
      {removal.dialog}
    </Page>
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
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => <EditLink id={id}>{name}</EditLink>,
    },
    {
      key: 'username',
      title: t('user.username'),
      from: 'small',
      sortBy: ({ username }) => username,
      cell: ({ username }) => username,
    },
    {
      key: 'email',
      title: t('user.email'),
      from: 'medium',
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
