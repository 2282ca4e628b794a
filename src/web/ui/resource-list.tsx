import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { errorWords } from '../lib/error-words.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useDelete } from '../lib/use-delete.ts';
import type { Column } from './data-table.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { editColumn } from './edit-column.tsx';
import type { EditAddress } from './edit-dialog.tsx';
import { EditLink } from './edit-link.tsx';
import { EmptyState } from './empty-state.tsx';
import { List, type ListAddress } from './list.tsx';
import { OnceOpened } from './once-opened.tsx';
import { Page } from './page.tsx';
import { toast, toastError } from './toast.ts';

interface Resource {
  id: number;
  name: string;
}

/** What the screen of a list gives to it. */
export interface ResourceListProps {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

interface Props<Thing extends Resource> extends ResourceListProps {
  /** Where the words are. */
  noun: 'key' | 'inventory' | 'environment' | 'repository';
  icon: ReactNode;
  things: UseQueryResult<Thing[]>;
  endpoints: { list: Endpoint; refs: Endpoint; remove: Endpoint };
  params: (id: number) => Record<string, number>;
  /** Those behind the name. */
  columns: Column<Thing>[];
  /** What the search looks through. */
  textOf: (thing: Thing) => string;
  /** Beside the button that adds one. */
  moreActions?: ReactNode;
  /** The dialog that makes one or changes one. */
  dialog: (frame: Pick<EditAddress, 'edit'> & { onClose: () => void }) => ReactNode;
}

/** The screen of what templates are made of: a list with its dialogs. */
export function ResourceList<Thing extends Resource>(props: Props<Thing>) {
  const { noun, icon, things, columns, textOf, moreActions, mayManage, address } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = things;
  const deletion = useDeletion(props);
  const { edit, onEdit } = address;
  const edited = mayManage ? edit : null;
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {t(`${noun}.new`)}
    </Button>
  );
  const name: Column<Thing> = {
    key: 'name',
    title: t('common.name'),
    wide: true,
    sortBy: (thing) => thing.name,
    cell: (thing) => (mayManage ? <EditLink id={thing.id}>{thing.name}</EditLink> : thing.name),
  };
  const actions = mayManage ? [editColumn<Thing>({ onEdit, onDelete: deletion.ask })] : [];
  return (
    <Page
      title={t(`${noun}.list`)}
      actions={
        <>
          {moreActions}
          {add}
        </>
      }
    >
      <List
        label={t(`${noun}.list`)}
        rows={data}
        rowKey={({ id }) => id}
        columns={[name, ...columns, ...actions]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={textOf}
        address={address}
        empty={
          <EmptyState
            icon={icon}
            title={t(`${noun}.none.title`)}
            text={t(mayManage ? `${noun}.none.text` : `${noun}.none.text_read_only`)}
          >
            {add}
          </EmptyState>
        }
      />
      <OnceOpened opened={edited !== null}>
        {props.dialog({ edit: edited, onClose: () => onEdit(null) })}
      </OnceOpened>
      <DeleteDialog
        {...deletion.dialog}
        title={t(`${noun}.delete`)}
        text={t(`${noun}.delete_text`, { name: deletion.thing?.name ?? '' })}
        refusal={t('references.refused', { object: t(`${noun}.object`) })}
      />
    </Page>
  );
}

function useDeletion<Thing extends Resource>({ noun, endpoints, ...props }: Props<Thing>) {
  const { t } = useTranslation();
  return useDelete<Thing>({
    projectId: props.projectId,
    refs: endpoints.refs,
    remove: endpoints.remove,
    refresh: [endpoints.list],
    params: ({ id }) => props.params(id),
    onDeleted: ({ name }) => toast(t(`${noun}.deleted`, { name })),
    onFailed: toastError,
  });
}
