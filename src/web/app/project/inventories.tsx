import { InventoryList } from '../../features/inventories/inventory-list.tsx';
import { useListProps } from '../address/list-address.ts';

export function Inventories() {
  const list = useListProps('inventory.edit');
  return <InventoryList key={list.projectId} {...list} />;
}
