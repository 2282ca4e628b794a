import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { UserList } from '../../features/users/user-list.tsx';
import { useCurrentUser } from '../session/access.ts';
import { AdminTabs } from './admin-page.tsx';
import { BackLink } from '../navigation/back-link.tsx';
import { useListAddress } from '../address/list-address.ts';

export function Users() {
  const user = useCurrentUser();
  const { page = 1 } = useSearch({ from: '/app/users' });
  const navigate = useNavigate({ from: '/users' });
  const address = useListAddress(user.admin);
  if (!user.admin) return <Navigate to="/" replace />;
  return (
    <UserList
      selfId={user.id}
      address={address}
      page={page}
      onPage={(next) => void navigate({ search: (search) => ({ ...search, page: next }) })}
      above={<BackLink />}
      tabs={<AdminTabs />}
    />
  );
}
