import { EnvironmentList } from '../../features/environments/environment-list.tsx';
import { useAccess } from '../session/access.ts';
import { useListProps } from '../address/list-address.ts';

export function Environments() {
  const list = useListProps('environment.edit');
  const may = useAccess(list.projectId);
  return (
    <EnvironmentList
      key={list.projectId}
      {...list}
      maySee={({ id }) => may('environment.read', { type: 'environment', id })}
    />
  );
}
