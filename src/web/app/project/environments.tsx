import { EnvironmentList } from '../../features/environments/environment-list.tsx';
import { useAccess } from '../session/access.ts';
import { useListProps } from '../address/list-address.ts';

export function Environments() {
  const list = useListProps('environment.edit');
  const mayRead = useAccess(list.projectId)('environment.read');
  return <EnvironmentList key={list.projectId} {...list} maySee={mayRead} />;
}
