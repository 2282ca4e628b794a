import { useNavigate, useSearch } from '@tanstack/react-router';
import type { z } from 'zod';
import type { EditAddress, Edited } from '../../ui/forms/edit-dialog.tsx';
import type { ListAddress } from '../../ui/lists/list.tsx';
import type { listSearch } from './list-search.ts';
import { useRefusedForm } from './use-refused-form.ts';

type Search = z.output<typeof listSearch>;

/** Search, order and dialog of the list that is open, kept in its address. */
export function useListAddress(mayEdit: boolean): ListAddress & EditAddress {
  const { q, sort, edit }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: Search, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...part }),
      replace,
      resetScroll: false,
    });
  const onEdit = (edited: Edited) => change({ edit: edited ?? undefined }, edited === null);
  useRefusedForm(edit !== undefined && !mayEdit, () => onEdit(null));
  return {
    search: q ?? '',
    onSearch: (text) => change({ q: text || undefined }, true),
    sort: sort ?? '',
    onSort: (column) => change({ sort: column || undefined }, true),
    edit: mayEdit ? (edit ?? null) : null,
    onEdit,
  };
}
