import { useNavigate, useSearch } from '@tanstack/react-router';
import type { EditAddress, Edited } from '../../ui/forms/edit-dialog.tsx';
import { useRefusedForm } from './use-refused-form.ts';

type Param = 'edit' | 'value' | 'matcher';

/** What a dialog edits, kept in a part of the address: for screens with several lists. */
export function useEditAddress(param: Param, mayEdit: boolean): EditAddress {
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
  return { edit: mayEdit ? edit : null, onEdit };
}
