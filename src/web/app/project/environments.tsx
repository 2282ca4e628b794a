import { useParams } from '@tanstack/react-router';
import { EnvironmentList } from '../../features/environments/environment-list.tsx';
import { useAccess } from '../session/access.ts';
import { useListAddress } from '../address/list-address.ts';

export function Environments() {
  const { projectId } = useParams({ from: '/app/project/$projectId/environment' });
  const may = useAccess(projectId);
  const mayManage = may('manage_resources');
  const address = useListAddress(mayManage);
  return (
    <EnvironmentList
      key={projectId}
      projectId={projectId}
      mayManage={mayManage}
      maySee={mayManage || may('run_tasks')}
      address={address}
    />
  );
}
