import { useParams } from '@tanstack/react-router';
import { HostConfigList } from '../../../features/host-configs/host-config-list.tsx';
import { useAccess } from '../../session/access.ts';
import { useListAddress } from '../../address/list-address.ts';
import { KeyTabs } from './key-tabs.tsx';

export function HostConfigs() {
  const { projectId } = useParams({ from: '/app/project/$projectId/keys/hosts' });
  const mayManage = useAccess(projectId)('manage_resources');
  const address = useListAddress(mayManage);
  const tabs = <KeyTabs projectId={projectId} />;
  return (
    <HostConfigList
      key={projectId}
      projectId={projectId}
      mayManage={mayManage}
      address={address}
      tabs={tabs}
    />
  );
}
