import { ExecutionEnvironmentList } from '../../features/execution-environments/execution-environment-list.tsx';
import { useListProps } from '../address/list-address.ts';

export function ExecutionEnvironments() {
  const list = useListProps('execution_environment.edit');
  return <ExecutionEnvironmentList key={list.projectId} {...list} />;
}
