import { Link } from '@tanstack/react-router';
import { IconWebhook } from '@tabler/icons-react';
import type { Integration } from '#shared/api/integrations.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { column, sortedColumn } from '../../resources/columns.ts';
import { ProjectAliases } from './alias-list.tsx';
import { methodWords } from './integration-words.ts';
import { integrationQueries, integrationResource } from './integrations.queries.ts';
import { IntegrationTarget, useTargetName } from './target-link.tsx';

const IntegrationDialog = lazyExport(() => import('./integration-dialog.tsx'), 'IntegrationDialog');

interface Props extends Omit<ResourceListProps, 'mayEdit'> {
  mayEdit: (integration: Integration) => boolean;
}

export function IntegrationList({ projectId, ...screen }: Props) {
  const targetOf = useTargetName(projectId);
  return (
    <ResourceList
      {...screen}
      resource={integrationResource}
      scope={{ projectId }}
      query={integrationQueries.list(projectId)}
      Dialog={IntegrationDialog}
      icon={<IconWebhook size={24} />}
      renderName={({ id, project_id, name }) => (
        <Link
          to="/project/$projectId/integration/$integrationId"
          params={{ projectId: project_id, integrationId: id }}
          className="weight-550 color-text"
          title={name}
        >
          {name}
        </Link>
      )}
      columns={columnsOf(targetOf)}
      textOf={(integration) => `${integration.name} ${targetOf(integration)}`}
    >
      {screen.mayManage && (
        <div style={{ maxWidth: 860, paddingTop: 24 }}>
          <ProjectAliases projectId={projectId} />
        </div>
      )}
    </ResourceList>
  );
}

const columnsOf = (targetOf: (integration: Integration) => string): Column<Integration>[] => [
  column('starts', t('starts.label'), { sortBy: targetOf }, (integration) => (
    <IntegrationTarget integration={integration} name={targetOf(integration)} />
  )),
  sortedColumn('auth', t('integration.auth.label'), { from: 'small' }, ({ auth_method }) =>
    t(`integration.auth.${methodWords(auth_method)}`),
  ),
];
