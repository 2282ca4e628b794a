import { ExecutionEnvironmentList } from '../../features/execution-environments/execution-environment-list.tsx';
import { useListProps } from '../address/list-address.ts';

export function ExecutionEnvironments() {
  const list = useListProps('manage_resources');
  return <ExecutionEnvironmentList key={list.projectId} {...list} />;
}
