import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Key } from '#shared/api/keys.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { column, sortedColumn } from '../../resources/columns.ts';
import { keyQueries, keyResource } from './keys.queries.ts';

const KeyDialog = lazyExport(() => import('./key-dialog.tsx'), 'KeyDialog');

export function KeyList({ tabs, projectId, ...screen }: ResourceListProps & { tabs: ReactNode }) {
  return (
    <ResourceList
      {...screen}
      resource={keyResource}
      scope={{ projectId }}
      query={keyQueries.list(projectId)}
      Dialog={KeyDialog}
      tabs={tabs}
      icon={<IconKey size={24} />}
      columns={columnsOf()}
      textOf={({ name, type }) => `${name} ${t(`key.type.${type}`)}`}
    />
  );
}

const columnsOf = (): Column<Key>[] => [
  sortedColumn('type', t('key.type.label'), { from: 'small' }, ({ type }) => t(`key.type.${type}`)),
  column('secret', t('key.secret'), { from: 'small' }, ({ type, empty }) => {
    if (type === 'none') return '—';
    return empty ? <Chip tone="warning">{t('key.missing')}</Chip> : t('key.stored');
  }),
];
