// The search parameters of a list: how they are read, and the hook that reads and changes them.

import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Right } from '#shared/rights.ts';
import type { EditAddress, Edited } from '../../ui/forms/edit-dialog.tsx';
import type { Trail } from '../../ui/lists/cursors.ts';
import type { ListAddress } from '../../ui/lists/list.tsx';
import { useAccess } from '../session/access.ts';
import { useRefusedForm } from './edit-address.ts';
import { edited, oneOf, positive, type Search, text } from './search-params.ts';

export const listParams = {
  q: text,
  sort: text,
  page: positive,
  edit: edited,
};

/** With `hosts`, the pinned keys of ssh hosts are shown. */
export const repositoriesParams = { ...listParams, hosts: oneOf([true]) };

type ListSearch = Search<typeof listParams>;

export function useListAddress(mayEdit: boolean): ListAddress & EditAddress {
  const { q, sort, page, edit }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: ListSearch, replace: boolean) =>
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

/** The props of a list of resources; `right` is needed to change them. */
export function useListProps(right: Right) {
  const { projectId } = useParams({ from: '/app/project/$projectId' });
  const mayManage = useAccess(projectId)(right);
  return { projectId, mayManage, address: useListAddress(mayManage) };
}

/** The page of a list with a `CursorPager`. */
export function useTrail() {
  const { before }: { before?: Trail } = useSearch({ strict: false });
  const navigate = useNavigate();
  const onTrail = (trail: Trail) =>
    void navigate({
      to: '.',
      search: (all) => ({ ...all, before: trail }),
      resetScroll: false,
    });
  return { trail: before, onTrail };
}
