// The list of a resource with its dialogs, and the screen that contains only the list.

import { Button } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorWords } from '../lib/error-words.ts';
import { t } from '../lib/i18n.ts';
import type { EditAddress } from '../ui/forms/edit-dialog.tsx';
import type { Column } from '../ui/lists/data-table.tsx';
import { List, type ListAddress } from '../ui/lists/list.tsx';
import type { ListSelection } from '../ui/lists/use-selection.ts';
import { editColumn, EditLink } from '../ui/lists/row-actions.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page } from '../ui/page/page.tsx';
import type { Endpoints, Noun, ProjectScope } from './resource.ts';
import { type RowDialogs, useRowDialogs } from './use-deletion.tsx';
import { column } from './columns.ts';

interface ListScreen {
  /** Whether the user may add rows. */
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

export interface ResourceListProps extends ListScreen, ProjectScope {
  mayEdit?: (row: { id: number }) => boolean;
}

/** The resources with a text for an empty list. */
type ListedNoun = Exclude<Noun, 'extract_value' | 'matcher' | 'role' | 'user'>;

interface Props<E extends Endpoints, Row, Scope, Read>
  extends ListScreen, RowDialogs<E, Row, Scope> {
  address: ListScreen['address'];
  /** Whether the user may change a row; by default those who may add rows. */
  mayEdit?: (row: Row) => boolean;
  query: UseQueryOptions<Read, Error, Row[]>;
  /** The icon of an empty list, or what it shows. */
  icon?: ReactNode;
  empty?: ReactNode;
  /** The title of the column with the name. */
  nameTitle?: string;
  /** The link to the page of a row; by default the name opens the dialog. */
  renderName?: (row: Row) => ReactNode;
  /** The columns after the one with the name. */
  columns: Column<Row>[];
  /** The text to search in. */
  textOf: (row: Row) => string;
  /** Buttons of a row before those that edit and delete. */
  renderActions?: (row: Row) => ReactNode;
  /** Why a row cannot be deleted. */
  refuseDelete?: (row: Row) => string | null;
  /** Whether a row belongs to others, who alone change it. */
  isReadOnly?: (row: Row) => boolean;
  pageSize?: number;
  selection?: ListSelection<Row> | undefined;
}

export function AddButton({ noun, address }: { noun: Noun; address: EditAddress }) {
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      data-shortcut="n"
      onClick={() => address.onEdit('new')}
    >
      {t(`${noun}.new`)}
    </Button>
  );
}

export function ResourceRows<
  E extends Endpoints,
  Row extends { id: number },
  Scope extends object,
  Read,
>(props: Props<E, Row, Scope, Read>) {
  const { resource, mayManage, address, columns, icon, pageSize } = props;
  const noun = resource.noun as ListedNoun;
  const { nameOf } = resource;
  const { data, error, refetch } = useQuery(props.query);
  const { ask, dialogs } = useRowDialogs(props);
  const mayEdit = (row: Row) => (props.mayEdit?.(row) ?? mayManage) && !props.isReadOnly?.(row);
  const nameColumn: Column<Row> = column(
    'name',
    props.nameTitle ?? t('common.name'),
    { wide: true, sortBy: nameOf },
    props.renderName ??
      ((row) => (mayEdit(row) ? <EditLink id={row.id}>{nameOf(row)}</EditLink> : nameOf(row))),
  );
  const actions = editColumn<Row>({
    nameOf,
    onEdit: address.onEdit,
    onDelete: ask,
    ...(props.renderActions && { more: props.renderActions }),
    isReadOnly: (row) => !mayEdit(row),
    ...(props.refuseDelete && { refuseDelete: props.refuseDelete }),
  });
  return (
    <>
      <List
        label={t(`${noun}.list`)}
        rows={data}
        rowKey={({ id }) => id}
        columns={[nameColumn, ...columns, ...(mayManage || data?.some(mayEdit) ? [actions] : [])]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={props.textOf}
        address={address}
        {...(pageSize !== undefined && { pageSize })}
        {...(props.selection && { selection: props.selection })}
        empty={
          props.empty ?? (
            <EmptyState
              icon={icon}
              title={t(`${noun}.none.title`)}
              text={t(`${noun}.none.${mayManage ? 'text' : 'text_read_only'}`)}
            >
              {mayManage && <AddButton noun={noun} address={address} />}
            </EmptyState>
          )
        }
      />
      {dialogs}
    </>
  );
}

interface ScreenProps {
  above?: ReactNode;
  /** Links to the lists beside this one. */
  tabs?: ReactNode;
  /** The content beside the button that adds a row. */
  moreActions?: ReactNode;
  /** The content below the list. */
  children?: ReactNode;
}

export function ResourceList<
  E extends Endpoints,
  Row extends { id: number },
  Scope extends object,
  Read,
>({ above, tabs, moreActions, children, ...props }: Props<E, Row, Scope, Read> & ScreenProps) {
  const noun = props.resource.noun as ListedNoun;
  const add = props.mayManage && <AddButton noun={noun} address={props.address} />;
  return (
    <Page
      title={t(`${noun}.list`)}
      above={above}
      tabs={tabs}
      actions={
        (moreActions || add) && (
          <>
            {moreActions}
            {add}
          </>
        )
      }
    >
      <ResourceRows {...props} />
      {children}
    </Page>
  );
}
