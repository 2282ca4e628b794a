import { IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { HostConfig } from '#shared/api/host-configs.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { sortedColumn } from '../../resources/columns.ts';
import { useKeyNames } from '../keys/keys.queries.ts';
import { hostConfigQueries, hostConfigResource } from './host-configs.queries.ts';

const HostConfigDialog = lazyExport(() => import('./host-config-dialog.tsx'), 'HostConfigDialog');

type Props = ResourceListProps & { tabs: ReactNode };

export function HostConfigList({ tabs, projectId, ...screen }: Props) {
  const keyName = useKeyNames(projectId);
  return (
    <ResourceList
      {...screen}
      resource={hostConfigResource}
      scope={{ projectId }}
      query={hostConfigQueries.list(projectId)}
      Dialog={HostConfigDialog}
      tabs={tabs}
      icon={<IconWorld size={24} />}
      nameTitle={t('host_config.name')}
      columns={columnsOf(keyName)}
      textOf={({ host, ssh_key_id: id }) => `${host} ${keyName(id)}`}
    />
  );
}

const columnsOf = (keyName: (id: number | null) => string): Column<HostConfig>[] => [
  sortedColumn('type', t('key.type.label'), { from: 'medium' }, ({ type }) =>
    t(`host_config.type.${type}`),
  ),
  sortedColumn('key', t('repository.key'), { from: 'small' }, ({ ssh_key_id: id }) => keyName(id)),
];
