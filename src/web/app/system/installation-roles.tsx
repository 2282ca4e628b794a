import { InstallationRoleList } from '../../features/roles/role-list.tsx';
import { t } from '../../lib/i18n.ts';
import { useListAddress } from '../address/list-address.ts';
import { BackLink } from '../navigation/back-link.tsx';
import { useCurrentUser } from '../session/access.ts';
import { AdminPage, AdminTabs } from './admin-page.tsx';

export function InstallationRoles() {
  const { admin } = useCurrentUser();
  const address = useListAddress(admin);
  if (!admin) return <AdminPage title={t('admin.roles')}>{null}</AdminPage>;
  return <InstallationRoleList address={address} above={<BackLink />} tabs={<AdminTabs />} />;
}
