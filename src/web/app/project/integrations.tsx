import { IntegrationList } from '../../features/integrations/integration-list.tsx';
import { mayOnStarter } from '../../lib/roles/may.ts';
import { useAccess } from '../session/access.ts';
import { useListProps } from '../address/list-address.ts';

export function Integrations() {
  const list = useListProps('integration.edit');
  const may = useAccess(list.projectId);
  return (
    <IntegrationList
      key={list.projectId}
      {...list}
      mayEdit={(integration) => mayOnStarter(may, integration)('integration.edit')}
    />
  );
}
