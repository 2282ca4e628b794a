import { Navigate } from '@tanstack/react-router';
import { UserList } from '../../features/users/user-list.tsx';
import { useCurrentUser } from '../session/access.ts';
import { AdminTabs } from './admin-page.tsx';
import { BackLink } from '../navigation/back-link.tsx';
import { useListAddress } from '../address/list-address.ts';

export function Users() {
  const user = useCurrentUser();
  const address = useListAddress(user.admin);
  if (!user.admin) return <Navigate to="/" replace />;
  return <UserList selfId={user.id} address={address} above={<BackLink />} tabs={<AdminTabs />} />;
}
