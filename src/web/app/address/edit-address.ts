// Forms that are opened by the address of a screen, so that they have a link.

import { useEffect } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { EditAddress, Edited } from '../../ui/forms/edit-dialog.tsx';

/** Closes a form whose address was opened by somebody who may not change the thing. */
export function useRefusedForm(isRefused: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (isRefused) onLeave();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is another function each time
  }, [isRefused]);
}

type Param = 'edit' | 'value' | 'matcher' | 'schedule';

/**
 * The thing that a dialog edits, in a search parameter of the address; for screens with several
 * lists. The page of one thing edits only that one, whose id is `own`.
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
