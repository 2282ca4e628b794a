import { useParams } from '@tanstack/react-router';
import { InventoryList } from '../features/inventories/inventory-list.tsx';
import { useAccess } from './access.ts';
import { useListAddress } from './use-list-address.ts';

export function Inventories() {
  const { projectId } = useParams({ from: '/app/project/$projectId/inventory' });
  const may = useAccess(projectId);
  const address = useListAddress();
  return (
    <InventoryList
      key={projectId}
      projectId={projectId}
      mayManage={may('manage_resources')}
      address={address}
    />
  );
}
