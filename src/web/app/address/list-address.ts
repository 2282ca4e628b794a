// The search parameters of a list: how they are read, and the hook that reads and changes them.

import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { grantedTypes } from '#shared/grants/granted-types.ts';
import type { Right } from '#shared/rights.ts';
import type { EditAddress, Edited } from '../../ui/forms/edit-dialog.tsx';
import type { Trail } from '../../ui/lists/cursors.ts';
import type { ListAddress } from '../../ui/lists/list.tsx';
import { useAccess } from '../session/access.ts';
import { useRowAccess } from './row-access.tsx';
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

/** `mayEdit`: whether the user may open the form of a row, or of a new one. */
export function useListAddress(
  mayEdit: boolean | ((edited: number | 'new') => boolean),
): ListAddress & EditAddress {
  const { q, sort, page, edit: asked }: ListSearch = useSearch({ strict: false });
  const isAllowed =
    asked !== undefined && (typeof mayEdit === 'function' ? mayEdit(asked) : mayEdit);
  const navigate = useNavigate();
  const change = (part: ListSearch, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...part }),
      replace,
      resetScroll: false,
    });
  const onEdit = (next: Edited) => change({ edit: next ?? undefined }, next === null);
  useRefusedForm(asked !== undefined && !isAllowed, () => onEdit(null));
  return {
    search: q ?? '',
    onSearch: (words) => change({ q: words || undefined, page: undefined }, true),
    sort: sort ?? '',
    onSort: (column) => change({ sort: column || undefined, page: undefined }, true),
    page: page ?? 1,
    onPage: (next) => change({ page: next }, false),
    edit: isAllowed ? asked : null,
    onEdit,
  };
}

const startersRights: Right[] = ['schedule.edit', 'integration.edit'];

/** The props of a list of resources; `right` is needed to change them. */
export function useListProps(right: Right) {
  const { projectId } = useParams({ from: '/app/project/$projectId' });
  const may = useAccess(projectId);
  // What a schedule or an integration starts decides, so that the role need not have the right.
  const mayManage = may(right, startersRights.includes(right) ? 'somewhere' : undefined);
  const type = grantedTypes.find((one) => right === `${one}.edit`);
  const mayEdit = (id: number) => (type ? may(right, { type, id }) : mayManage);
  const address = useListAddress((row) => (row === 'new' ? mayManage : mayEdit(row)));
  const access = useRowAccess(projectId, type, may);
  return {
    projectId,
    mayManage,
    mayEdit: ({ id }: { id: number }) => mayEdit(id),
    address,
    access: type && access,
  };
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
