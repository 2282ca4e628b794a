import { type ReactNode, useState } from 'react';
import { Pager } from './pager.tsx';

/** Tables up to this length have one page. */
const MAX_ROWS = 100;
/** Rows of a page of a longer list: fewer, because rows have buttons and menus. */
const rowsOfPage = 50;

export const pageSizeOf = (length: number): number => (length > MAX_ROWS ? rowsOfPage : MAX_ROWS);

/** The last page if the chosen one no longer exists. */
export const pageIn = (length: number, page: number, pageSize: number): number =>
  Math.max(1, Math.min(page, Math.ceil(length / pageSize)));

export function usePages<Row>(
  rows: Row[] | undefined,
  pageSize = pageSizeOf(rows?.length ?? 0),
): { shown: Row[] | undefined; pager: ReactNode } {
  const [chosen, setChosen] = useState(1);
  const total = rows?.length ?? 0;
  const page = pageIn(total, chosen, pageSize);
  return {
    shown: rows?.slice((page - 1) * pageSize, page * pageSize),
    pager: <Pager page={page} pageSize={pageSize} total={total} onPage={setChosen} />,
  };
}
