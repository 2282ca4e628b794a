import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconServer2 } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { inventories, type Inventory } from '#shared/api/inventories.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import type { EditAddress } from '../../ui/edit-dialog.tsx';
import { EditLink } from '../../ui/edit-link.tsx';
import { editColumn } from '../../ui/edit-column.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { List, type ListAddress } from '../../ui/list.tsx';
import { OnceOpened } from '../../ui/once-opened.tsx';
import { Page } from '../../ui/page.tsx';
import { toast, toastError } from '../../ui/toast.ts';
import { keyQueries } from '../keys/keys.queries.ts';
import { inventoryQueries } from './inventories.queries.ts';

const InventoryDialog = lazy(async () => ({
  default: (await import('./inventory-dialog.tsx')).InventoryDialog,
}));

interface Props {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

export function InventoryList({ projectId, mayManage, address }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(inventoryQueries.list(projectId));
  const { data: keys } = useQuery(keyQueries.list(projectId));
  const keyNames = new Map(keys?.map(({ id, name }) => [id, name]));
  const deletion = useDelete<Inventory>({
    projectId,
    refs: inventories.refs,
    remove: inventories.remove,
    refresh: [inventories.list],
    params: ({ id }) => ({ project_id: projectId, inventory_id: id }),
    onDeleted: ({ name }) => toast(t('inventory.deleted', { name })),
    onFailed: toastError,
  });
  const { edit, onEdit } = address;
  const edited = mayManage ? edit : null;
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {t('inventory.new')}
    </Button>
  );
  const columns = columnsOf({ t, mayManage, keyName: (id) => keyNames.get(id) ?? '' });
  return (
    <Page title={t('inventory.list')} actions={add}>
      <List
        label={t('inventory.list')}
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          ...columns,
          ...(mayManage ? [editColumn({ onEdit, onDelete: deletion.ask })] : []),
        ]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, type }) => `${name} ${t(`inventory.type.${type}`)}`}
        address={address}
        empty={
          <EmptyState
            icon={<IconServer2 size={24} />}
            title={t('inventory.none.title')}
            text={mayManage ? t('inventory.none.text') : t('inventory.none.text_read_only')}
          >
            {add}
          </EmptyState>
        }
      />
      <OnceOpened opened={edited !== null}>
        <InventoryDialog projectId={projectId} edit={edited} onClose={() => onEdit(null)} />
      </OnceOpened>
      <DeleteDialog
        {...deletion.dialog}
        title={t('inventory.delete')}
        text={t('inventory.delete_text', { name: deletion.thing?.name ?? '' })}
        refusal={t('references.refused', { object: t('inventory.object') })}
      />
    </Page>
  );
}

interface Cells {
  t: TFunction;
  mayManage: boolean;
  keyName: (id: number) => string;
}

function columnsOf({ t, mayManage, keyName }: Cells): Column<Inventory>[] {
  const nameOf = (id: number | null): string => (id === null ? '—' : keyName(id));
  return [
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (mayManage ? <EditLink id={id}>{name}</EditLink> : name),
    },
    {
      key: 'type',
      title: t('inventory.type.label'),
      from: 'small',
      sortBy: ({ type }) => t(`inventory.type.${type}`),
      cell: ({ type }) => t(`inventory.type.${type}`),
    },
    {
      key: 'user',
      title: t('inventory.user_credentials'),
      from: 'medium',
      cell: ({ ssh_key_id: id }) => nameOf(id),
    },
    {
      key: 'sudo',
      title: t('inventory.sudo_credentials'),
      from: 'medium',
      cell: ({ become_key_id: id }) => nameOf(id),
    },
  ];
}
