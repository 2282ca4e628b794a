import { EnvironmentList } from '../../features/environments/environment-list.tsx';
import { useAccess } from '../session/access.ts';
import { useListProps } from '../address/list-address.ts';

export function Environments() {
  const list = useListProps('manage_resources');
  const mayRun = useAccess(list.projectId)('run_tasks');
  return <EnvironmentList key={list.projectId} {...list} maySee={list.mayManage || mayRun} />;
}
