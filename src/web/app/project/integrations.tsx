import { useParams } from '@tanstack/react-router';
import { IntegrationList } from '../../features/integrations/integration-list.tsx';
import { useAccess } from '../session/access.ts';
import { useListAddress } from '../address/list-address.ts';

export function Integrations() {
  const { projectId } = useParams({ from: '/app/project/$projectId/integrations' });
  const mayManage = useAccess(projectId)('manage_integrations');
  const address = useListAddress(mayManage);
  return (
    <IntegrationList
      key={projectId}
      projectId={projectId}
      mayManage={mayManage}
      address={address}
    />
  );
}
