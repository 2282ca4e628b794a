import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import type { Column } from './data-table.tsx';
import { DeleteDialog } from '../dialogs/delete-dialog.tsx';
import { editColumn, EditLink } from './row-actions.tsx';
import type { EditAddress } from '../forms/edit-dialog.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { List, type ListAddress } from './list.tsx';
import { OnceOpened } from '../dialogs/once-opened.tsx';
import { Page } from '../page/page.tsx';

interface Resource {
  id: number;
  name: string;
}

/** The props that a screen gives to its list. */
export interface ResourceListProps {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

interface Props<Row extends Resource> {
  title: string;
  mayManage: boolean;
  address: ListAddress & EditAddress;
  /** Links to the lists beside this one. */
  tabs?: ReactNode;
  /** The verb on the button that adds one. */
  add: string;
  /** The content beside that button. */
  moreActions?: ReactNode;
  icon: ReactNode;
  empty: { title: string; text: string };
  rows: Row[] | undefined;
  failure: string | null;
  onRetry: () => void;
  /** The title of the column with the name. */
  nameTitle?: string;
  /** The columns after the one with the name. */
  columns: Column<Row>[];
  /** The text of a row that the search reads. */
  textOf: (resource: Row) => string;
  onDelete: (resource: Row) => void;
  deletion: ComponentProps<typeof DeleteDialog>;
  /** The dialog that makes or changes a resource. */
  renderDialog: (frame: Pick<EditAddress, 'edit'> & { onClose: () => void }) => ReactNode;
}

/** The screen of a kind of resource (keys, inventories, …): the list and its dialogs. */
export function ResourceList<Row extends Resource>(props: Props<Row>) {
  const { title, icon, columns, moreActions, mayManage, address, empty } = props;
  const { edit, onEdit } = address;
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {props.add}
    </Button>
  );
  const actions = mayManage ? [editColumn<Row>({ onEdit, onDelete: props.onDelete })] : [];
  return (
    <Page
      title={title}
      tabs={props.tabs}
      actions={
        <>
          {moreActions}
          {add}
        </>
      }
    >
      <List
        label={title}
        rows={props.rows}
        rowKey={({ id }) => id}
        columns={[nameColumn<Row>(mayManage, props.nameTitle), ...columns, ...actions]}
        failure={props.failure}
        onRetry={props.onRetry}
        textOf={props.textOf}
        address={address}
        empty={
          <EmptyState icon={icon} {...empty}>
            {add}
          </EmptyState>
        }
      />
      <OnceOpened opened={edit !== null}>
        {props.renderDialog({ edit, onClose: () => onEdit(null) })}
      </OnceOpened>
      <DeleteDialog {...props.deletion} />
    </Page>
  );
}

const nameColumn = <Row extends Resource>(
  mayManage: boolean,
  title = t('common.name'),
): Column<Row> => ({
  key: 'name',
  title,
  wide: true,
  sortBy: ({ name }) => name,
  cell: ({ id, name }) => (mayManage ? <EditLink id={id}>{name}</EditLink> : name),
});
