import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconKey, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
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
import { EditLink } from '../../ui/edit-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { List, type ListAddress } from '../../ui/list.tsx';
import { OnceOpened } from '../../ui/once-opened.tsx';
import { Page } from '../../ui/page.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
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
        columns={columns({ t, mayManage, onEdit, onDelete: deletion.ask })}
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

interface Cells {
  t: TFunction;
  mayManage: boolean;
  onEdit: (id: number) => void;
  onDelete: (key: Key) => void;
}

function columns({ t, mayManage, onEdit, onDelete }: Cells): Column<Key>[] {
  const actions: Column<Key> = {
    key: 'actions',
    title: '',
    hiddenTitle: t('common.actions'),
    align: 'end',
    cell: (key) => (
      <RowActions>
        <IconButton
          label={t('common.edit_label', { name: key.name })}
          hint={t('common.edit')}
          icon={<IconPencil size={16} />}
          onClick={() => onEdit(key.id)}
        />
        <IconButton
          label={t('common.delete_label', { name: key.name })}
          hint={t('common.delete')}
          icon={<IconTrash size={16} />}
          onClick={() => onDelete(key)}
        />
      </RowActions>
    ),
  };
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
    ...(mayManage ? [actions] : []),
  ];
}
