import { useParams } from '@tanstack/react-router';
import { KeyList } from '../../../features/keys/key-list.tsx';
import { useAccess } from '../../session/access.ts';
import { useListAddress } from '../../address/list-address.ts';
import { KeyTabs } from './key-tabs.tsx';

export function Keys() {
  const { projectId } = useParams({ from: '/app/project/$projectId/keys' });
  const mayManage = useAccess(projectId)('manage_resources');
  const address = useListAddress(mayManage);
  return (
    <KeyList
      key={projectId}
      projectId={projectId}
      mayManage={mayManage}
      address={address}
      tabs={<KeyTabs projectId={projectId} />}
    />
  );
}
