// The search parameters of a list: their schema, and the hook that reads and changes them.

import { z } from 'zod';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { isTrail } from '../../ui/lists/cursors.ts';
import type { EditAddress, Edited } from '../../ui/forms/edit-dialog.tsx';
import { isDay } from '../../lib/wall-clock.ts';
import type { ListAddress } from '../../ui/lists/list.tsx';
import { useRefusedForm } from './edit-address.ts';

export const positive = z.coerce.number().int().positive().optional().catch(undefined);
export const text = z.coerce.string().optional().catch(undefined);
export const day = z.string().refine(isDay).optional().catch(undefined);

/** The cursors of the pages of a list; see cursors.ts. */
export const trail = z.coerce.string().refine(isTrail).optional().catch(undefined);

/** What a dialog edits: `new`, or the id of a thing. */
export const edited = z
  .union([z.literal('new'), z.coerce.number().int().positive()])
  .optional()
  .catch(undefined);

/** The text of the search, the column of the order, the page, and what a dialog edits. */
export const listSearch = z.object({
  q: text,
  sort: text,
  page: positive,
  edit: edited,
});

/** With `hosts`, the pinned keys of ssh hosts are shown. */
export const repositoriesSearch = listSearch.extend({
  hosts: z.literal(true).optional().catch(undefined),
});

type Search = z.output<typeof listSearch>;

/** Search, order, page and dialog of the open list, which are stored in its address. */
export function useListAddress(mayEdit: boolean): ListAddress & EditAddress {
  const { q, sort, page, edit }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: Search, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...part }),
      replace,
      resetScroll: false,
    });
  const onEdit = (next: Edited) => change({ edit: next ?? undefined }, next === null);
  useRefusedForm(edit !== undefined && !mayEdit, () => onEdit(null));
  return {
    search: q ?? '',
    onSearch: (words) => change({ q: words || undefined, page: undefined }, true),
    sort: sort ?? '',
    onSort: (column) => change({ sort: column || undefined, page: undefined }, true),
    page: page ?? 1,
    onPage: (next) => change({ page: next }, false),
    edit: mayEdit ? (edit ?? null) : null,
    onEdit,
  };
}
