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
import type { Endpoints, NamedRow, Noun, ProjectScope } from './resource.ts';
import { type RowDialogs, useRowDialogs } from './use-deletion.tsx';
import { column } from './columns.ts';

interface ListScreen {
  /** Whether the user may add rows. */
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

/** What the feature of grants adds to the rows of a list. */
export interface RowAccess {
  /** Beside the name of a row. */
  renderMark: (row: { id: number }) => ReactNode;
  /** Leads to who may do what with a row; empty if the user gives no access to it. */
  renderLink: (row: NamedRow) => ReactNode;
  /** Whether some rows have such a link. */
  hasLinks: boolean;
  below: ReactNode;
}

export interface ResourceListProps extends ListScreen, ProjectScope {
  access?: RowAccess | undefined;
  mayEdit?: (row: { id: number }) => boolean;
}

/** The resources with a text for an empty list. */
type ListedNoun = Exclude<Noun, 'extract_value' | 'grant' | 'matcher' | 'role' | 'user'>;

interface Props<E extends Endpoints, Row, Scope, Read>
  extends ListScreen, RowDialogs<E, Row, Scope> {
  address: ListScreen['address'];
  access?: RowAccess | undefined;
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
  const { mayManage, address, columns, pageSize, access } = props;
  const noun = props.resource.noun as ListedNoun;
  const { data, error, refetch } = useQuery(props.query);
  const { ask, dialogs } = useRowDialogs(props);
  const mayEdit = (row: Row) => (props.mayEdit?.(row) ?? mayManage) && !props.isReadOnly?.(row);
  const hasActions = mayManage || access?.hasLinks || data?.some(mayEdit);
  return (
    <>
      <List
        label={t(`${noun}.list`)}
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          nameColumn(props, mayEdit),
          ...columns,
          ...(hasActions ? [buttonColumn(props, mayEdit, ask)] : []),
        ]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={props.textOf}
        address={address}
        {...(pageSize !== undefined && { pageSize })}
        {...(props.selection && { selection: props.selection })}
        empty={
          props.empty ?? (
            <EmptyState
              icon={props.icon}
              title={t(`${noun}.none.title`)}
              text={t(`${noun}.none.${mayManage ? 'text' : 'text_read_only'}`)}
            >
              {mayManage && <AddButton noun={noun} address={address} />}
            </EmptyState>
          )
        }
      />
      {access?.below}
      {dialogs}
    </>
  );
}

function nameColumn<E extends Endpoints, Row extends { id: number }, Scope, Read>(
  { resource: { nameOf }, nameTitle, access, ...props }: Props<E, Row, Scope, Read>,
  mayEdit: (row: Row) => boolean,
): Column<Row> {
  const link = (row: Row) =>
    mayEdit(row) ? <EditLink id={row.id}>{nameOf(row)}</EditLink> : nameOf(row);
  const { renderName = link } = props;
  return column('name', nameTitle ?? t('common.name'), { wide: true, sortBy: nameOf }, (row) =>
    withMark(renderName(row), access?.renderMark(row)),
  );
}

function buttonColumn<E extends Endpoints, Row extends { id: number }, Scope, Read>(
  props: Props<E, Row, Scope, Read>,
  mayEdit: (row: Row) => boolean,
  onDelete: (row: Row) => void,
): Column<Row> {
  const { resource, address, renderActions, refuseDelete, isReadOnly, access } = props;
  const { nameOf } = resource;
  const renderMore = (row: Row) => (
    <>
      {renderActions?.(row)}
      {!isReadOnly?.(row) && access?.renderLink({ id: row.id, name: nameOf(row) })}
    </>
  );
  return editColumn<Row>({
    nameOf,
    onEdit: address.onEdit,
    onDelete,
    more: renderMore,
    isReadOnly: (row) => !mayEdit(row),
    ...(refuseDelete && { refuseDelete }),
  });
}

const withMark = (name: ReactNode, mark: ReactNode): ReactNode =>
  mark ? (
    <span className="row gap-6 min-w-0">
      {name}
      {mark}
    </span>
  ) : (
    name
  );

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
