import { IntegrationList } from '../../features/integrations/integration-list.tsx';
import { useListProps } from '../address/list-address.ts';

export function Integrations() {
  const list = useListProps('integration.edit');
  return <IntegrationList key={list.projectId} {...list} />;
}
