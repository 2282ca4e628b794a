import { type ReactNode, useState } from 'react';
import { Pager } from './pager.tsx';

/** Up to so many rows are drawn at once, which a browser does within a moment. */
const MAX_ROWS = 100;
/** How many rows a page of a longer list has: fewer, because rows have buttons and menus. */
const rowsOfPage = 50;

/** The number of rows of a page of a list of this length. */
export const pageSizeOf = (length: number): number => (length > MAX_ROWS ? rowsOfPage : MAX_ROWS);

/** The page to show: the last one if the page that was chosen no longer exists. */
export const pageIn = (length: number, page: number, pageSize: number): number =>
  Math.max(1, Math.min(page, Math.ceil(length / pageSize)));

/** The rows of the page that somebody has chosen, and the buttons that choose another one. */
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
