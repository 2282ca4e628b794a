import { IconKey } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy, type ReactNode } from 'react';
import { type Key, keys } from '#shared/api/keys.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useResourceList } from '../../lib/use-resource-list.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../ui/lists/resource-list.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { keyQueries } from './keys.queries.ts';

const KeyDialog = lazy(async () => ({ default: (await import('./key-dialog.tsx')).KeyDialog }));

export function KeyList({ tabs, ...props }: ResourceListProps & { tabs: ReactNode }) {
  const { projectId } = props;
  const { t } = useTranslation();
  const list = useResourceList({
    ...props,
    noun: 'key',
    query: keyQueries.list(projectId),
    endpoints: keys,
    onDone: toast,
    onFailed: toastError,
  });
  return (
    <ResourceList
      {...list}
      tabs={tabs}
      icon={<IconKey size={24} />}
      columns={columnsOf(t)}
      textOf={({ name, type }) => `${name} ${t(`key.type.${type}`)}`}
      renderDialog={(frame) => <KeyDialog projectId={projectId} {...frame} />}
    />
  );
}

const columnsOf = (t: TFunction): Column<Key>[] => [
  {
    key: 'type',
    title: t('key.type.label'),
    // A narrow window is left to the names.
    from: 'small',
    sortBy: ({ type }) => t(`key.type.${type}`),
    cell: ({ type }) => t(`key.type.${type}`),
  },
  {
    key: 'secret',
    title: t('key.secret'),
    from: 'small',
    cell: ({ type, empty }) => {
      if (type === 'none') return '—';
      return empty ? <Chip tone="warning">{t('key.missing')}</Chip> : t('key.stored');
    },
  },
];
