import { IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { lazy, type ReactNode, useMemo } from 'react';
import { type HostConfig, hostConfigs } from '#shared/api/host-configs.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../ui/lists/resource-list.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { useKeyNames } from '../keys/keys.queries.ts';
import { hostConfigQueries } from './host-configs.queries.ts';

const HostConfigDialog = lazy(async () => ({
  default: (await import('./host-config-dialog.tsx')).HostConfigDialog,
}));

/** As a list shows it, by its host or prefix. */
type Row = HostConfig & { name: string };

export function HostConfigList({ tabs, ...props }: ResourceListProps & { tabs: ReactNode }) {
  const { projectId, mayManage } = props;
  const { t } = useTranslation();
  const keyName = useKeyNames(projectId);
  const { data, error, refetch } = useQuery(hostConfigQueries.list(projectId));
  const rows = useMemo(() => data?.map((one): Row => ({ ...one, name: one.host })), [data]);
  const deletion = useDelete<Row>({
    projectId,
    remove: hostConfigs.remove,
    refresh: [hostConfigs.list],
    params: ({ id }) => ({ project_id: projectId, host_config_id: id }),
    onDeleted: ({ name }) => toast(t('host_config.deleted', { name })),
    onFailed: toastError,
  });
  return (
    <ResourceList
      {...props}
      title={t('host_config.list')}
      tabs={tabs}
      add={t('host_config.new')}
      icon={<IconWorld size={24} />}
      empty={{
        title: t('host_config.none.title'),
        text: t(mayManage ? 'host_config.none.text' : 'host_config.none.text_read_only'),
      }}
      rows={rows}
      failure={error && errorWords(error)}
      onRetry={() => void refetch()}
      nameTitle={t('host_config.name')}
      columns={columnsOf(t, keyName)}
      textOf={({ name, ssh_key_id: id }) => `${name} ${keyName(id)}`}
      onDelete={deletion.ask}
      deletion={{
        ...deletion.dialog,
        title: t('host_config.delete'),
        text: t('host_config.delete_text', { name: deletion.thing?.name ?? '' }),
        // Nothing refers to a host.
        refusal: '',
      }}
      renderDialog={(frame) => <HostConfigDialog projectId={projectId} {...frame} />}
    />
  );
}

const columnsOf = (t: TFunction, keyName: (id: number | null) => string): Column<Row>[] => [
  {
    key: 'type',
    title: t('key.type.label'),
    from: 'medium',
    sortBy: ({ type }) => t(`host_config.type.${type}`),
    cell: ({ type }) => t(`host_config.type.${type}`),
  },
  {
    key: 'key',
    title: t('repository.key'),
    from: 'small',
    sortBy: ({ ssh_key_id: id }) => keyName(id),
    cell: ({ ssh_key_id: id }) => keyName(id),
  },
];
