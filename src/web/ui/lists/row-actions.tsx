import type { ReactNode } from 'react';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import type { Column } from './data-table.tsx';
import { IconButton } from '../buttons/icon-button.tsx';

export function RowActions({ children }: { children: ReactNode }) {
  return <div className="inline-flex items-center gap-2">{children}</div>;
}

interface Actions<Row> {
  nameOf: (row: Row) => string;
  onEdit: (id: number) => void;
  onDelete: (row: Row) => void;
  /** Why a row cannot be deleted. */
  refuseDelete?: (row: Row) => string | null;
  /** Whether a row has none of these two buttons. */
  isReadOnly?: (row: Row) => boolean;
  /** Buttons before these two. */
  more?: (row: Row) => ReactNode;
}

export function editColumn<Row extends { id: number }>(actions: Actions<Row>): Column<Row> {
  const { nameOf, onEdit, onDelete, refuseDelete, isReadOnly, more } = actions;
  return {
    key: 'actions',
    title: '',
    hiddenTitle: t('common.actions'),
    align: 'end',
    cell: (row) => (
      <RowActions>
        {more?.(row)}
        {isReadOnly?.(row) !== true && (
          <>
            <IconButton
              label={t('common.edit_label', { name: nameOf(row) })}
              hint={t('common.edit')}
              icon={<IconPencil size={16} />}
              onClick={() => onEdit(row.id)}
            />
            <IconButton
              label={t('common.delete_label', { name: nameOf(row) })}
              hint={t('common.delete')}
              icon={<IconTrash size={16} />}
              refused={refuseDelete?.(row)}
              onClick={() => onDelete(row)}
            />
          </>
        )}
      </RowActions>
    ),
  };
}

interface LinkProps {
  id: number;
  /** The search parameter for the row, if a screen has several lists. */
  param?: string;
  children: string;
}

export function EditLink({ id, param = 'edit', children }: LinkProps) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, [param]: id })}
      resetScroll={false}
      className="weight-550 color-text"
      title={children}
    >
      {children}
    </Link>
  );
}
