import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import type { Column } from './data-table.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { RowActions } from './row-actions.tsx';

interface Thing {
  id: number;
  name: string;
}

interface Actions<Row extends Thing> {
  onEdit: (id: number) => void;
  onDelete: (row: Row) => void;
  /** Why a row cannot be deleted. */
  refuseDelete?: (row: Row) => string | null;
  /** Buttons before these two. */
  more?: (row: Row) => ReactNode;
}

/** The last column of a list: edit and delete. */
export function editColumn<Row extends Thing>(actions: Actions<Row>): Column<Row> {
  const { onEdit, onDelete, refuseDelete, more } = actions;
  return {
    key: 'actions',
    title: '',
    hiddenTitle: t('common.actions'),
    align: 'end',
    cell: (row) => (
      <RowActions>
        {more?.(row)}
        <IconButton
          label={t('common.edit_label', { name: row.name })}
          hint={t('common.edit')}
          icon={<IconPencil size={16} />}
          onClick={() => onEdit(row.id)}
        />
        <IconButton
          label={t('common.delete_label', { name: row.name })}
          hint={t('common.delete')}
          icon={<IconTrash size={16} />}
          refused={refuseDelete?.(row)}
          onClick={() => onDelete(row)}
        />
      </RowActions>
    ),
  };
}
