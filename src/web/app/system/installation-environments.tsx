import { InstallationEnvironmentList } from '../../features/execution-environments/execution-environment-list.tsx';
import { t } from '../../lib/i18n.ts';
import { useListAddress } from '../address/list-address.ts';
import { BackLink } from '../navigation/back-link.tsx';
import { useCurrentUser } from '../session/access.ts';
import { AdminPage, AdminTabs } from './admin-page.tsx';

export function InstallationEnvironments() {
  const { admin } = useCurrentUser();
  const address = useListAddress(admin);
  if (!admin) return <AdminPage title={t('admin.execution_environments')}>{null}</AdminPage>;
  return (
    <InstallationEnvironmentList address={address} above={<BackLink />} tabs={<AdminTabs />} />
  );
}
