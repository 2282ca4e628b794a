import { HostConfigList } from '../../../features/host-configs/host-config-list.tsx';
import { useListProps } from '../../address/list-address.ts';
import { KeyTabs } from './key-tabs.tsx';

export function HostConfigs() {
  const list = useListProps('host_config.edit');
  const tabs = <KeyTabs projectId={list.projectId} />;
  return <HostConfigList key={list.projectId} {...list} tabs={tabs} />;
}
