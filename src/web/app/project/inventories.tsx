import { useParams } from '@tanstack/react-router';
import { InventoryList } from '../../features/inventories/inventory-list.tsx';
import { useAccess } from '../session/access.ts';
import { useListAddress } from '../address/list-address.ts';

export function Inventories() {
  const { projectId } = useParams({ from: '/app/project/$projectId/inventory' });
  const mayManage = useAccess(projectId)('manage_resources');
  const address = useListAddress(mayManage);
  return (
    <InventoryList key={projectId} projectId={projectId} mayManage={mayManage} address={address} />
  );
}
