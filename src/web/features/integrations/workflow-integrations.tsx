import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { Section } from '../../ui/page/section.tsx';
import { integrationQueries } from './integrations.queries.ts';

interface Props {
  projectId: number;
  workflowId: number;
}

export function WorkflowIntegrations({ projectId, workflowId }: Props) {
  const { data } = useQuery(integrationQueries.list(projectId));
  const own = data?.filter((one) => one.workflow_id === workflowId) ?? [];
  if (own.length === 0) return null;
  return (
    <Section title={t('integration.list')}>
      <ul>
        {own.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/project/$projectId/integration/$integrationId"
              params={{ projectId, integrationId: id }}
              className="break"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
