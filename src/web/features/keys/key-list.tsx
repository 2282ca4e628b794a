import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconKey, IconPlus } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { type Key, keys } from '#shared/api/keys.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { Chip } from '../../ui/chip.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import type { EditAddress } from '../../ui/edit-dialog.tsx';
import { editColumn } from '../../ui/edit-column.tsx';
import { EditLink } from '../../ui/edit-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { List, type ListAddress } from '../../ui/list.tsx';
import { OnceOpened } from '../../ui/once-opened.tsx';
import { Page } from '../../ui/page.tsx';
import { toast, toastError } from '../../ui/toast.ts';
import { keyQueries } from './keys.queries.ts';

const KeyDialog = lazy(async () => ({ default: (await import('./key-dialog.tsx')).KeyDialog }));

interface Props {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

export function KeyList({ projectId, mayManage, address }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(keyQueries.list(projectId));
  const deletion = useDelete<Key>({
    projectId,
    refs: keys.refs,
    remove: keys.remove,
    refresh: [keys.list],
    params: ({ id }) => ({ project_id: projectId, key_id: id }),
    onDeleted: ({ name }) => toast(t('key.deleted', { name })),
    onFailed: toastError,
  });
  const { edit, onEdit } = address;
  const edited = mayManage ? edit : null;
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {t('key.new')}
    </Button>
  );
  return (
    <Page title={t('key.list')} actions={add}>
      <List
        label={t('key.list')}
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          ...columnsOf(t, mayManage),
          ...(mayManage ? [editColumn({ onEdit, onDelete: deletion.ask })] : []),
        ]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, type }) => `${name} ${t(`key.type.${type}`)}`}
        address={address}
        empty={
          <EmptyState
            icon={<IconKey size={24} />}
            title={t('key.none.title')}
            text={mayManage ? t('key.none.text') : t('key.none.text_read_only')}
          >
            {add}
          </EmptyState>
        }
      />
      <OnceOpened opened={edited !== null}>
        <KeyDialog projectId={projectId} edit={edited} onClose={() => onEdit(null)} />
      </OnceOpened>
      <DeleteDialog
        {...deletion.dialog}
        title={t('key.delete')}
        text={t('key.delete_text', { name: deletion.thing?.name ?? '' })}
        refusal={t('references.refused', { object: t('key.object') })}
      />
    </Page>
  );
}

function columnsOf(t: TFunction, mayManage: boolean): Column<Key>[] {
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
      title: t('key.type.label'),
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
}
