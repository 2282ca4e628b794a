// Forms that are opened by the address of a screen, so that they have a link.

import { useEffect } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { EditAddress, Edited } from '../../ui/forms/edit-dialog.tsx';

/** Closes a form that an address opened for a user who may not change the resource. */
export function useRefusedForm(isRefused: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (isRefused) onLeave();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is another function each time
  }, [isRefused]);
}

type Param = 'edit' | 'value' | 'matcher' | 'schedule';

/**
 * The resource that a dialog edits, in a search parameter of the address; for screens with several
 * lists. With `own`, only that id is accepted.
 */
export function useEditAddress(param: Param, mayEdit: boolean, own?: number): EditAddress {
  const search: Partial<Record<Param, number | 'new'>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const onEdit = (edit: Edited) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, [param]: edit ?? undefined }),
      replace: edit === null,
      resetScroll: false,
    });
  const edit = search[param] ?? null;
  useRefusedForm(edit !== null && !mayEdit, () => onEdit(null));
  const isForeign = own !== undefined && edit !== own;
  return { edit: mayEdit && !isForeign ? edit : null, onEdit };
}
