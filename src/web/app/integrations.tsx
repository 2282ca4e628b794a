import { useParams } from '@tanstack/react-router';
import { IntegrationList } from '../features/integrations/integration-list.tsx';
import { useAccess } from './access.ts';
import { useListAddress } from './use-list-address.ts';

export function Integrations() {
  const { projectId } = useParams({ from: '/app/project/$projectId/integrations' });
  const may = useAccess(projectId);
  const address = useListAddress();
  return (
    <IntegrationList
      key={projectId}
      projectId={projectId}
      mayManage={may('manage_integrations')}
      address={address}
    />
  );
}
