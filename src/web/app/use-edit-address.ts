import { useNavigate, useSearch } from '@tanstack/react-router';
import type { EditAddress, Edited } from '../ui/edit-dialog.tsx';

type Param = 'edit' | 'value' | 'matcher';

/** What a dialog edits, kept in a part of the address: for screens with several lists. */
export function useEditAddress(param: Param): EditAddress {
  const search: Partial<Record<Param, number | 'new'>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const onEdit = (edit: Edited) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, [param]: edit ?? undefined }),
      replace: edit === null,
      resetScroll: false,
    });
  return { edit: search[param] ?? null, onEdit };
}
