import { KeyList } from '../../../features/keys/key-list.tsx';
import { useListProps } from '../../address/list-address.ts';
import { KeyTabs } from './key-tabs.tsx';

export function Keys() {
  const list = useListProps('key.edit');
  const tabs = <KeyTabs projectId={list.projectId} />;
  return <KeyList key={list.projectId} {...list} tabs={tabs} />;
}
