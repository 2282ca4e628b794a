// What the address of a screen says of its list, as the state of a component.

import { useState } from 'react';
import type { Edited } from '../../src/web/ui/forms/edit-dialog.tsx';

export function useListAddress() {
  const [search, onSearch] = useState('');
  const [sort, onSort] = useState('');
  const [page, onPage] = useState(1);
  const [edit, onEdit] = useState<Edited>(null);
  return { search, onSearch, sort, onSort, page, onPage, edit, onEdit };
}
