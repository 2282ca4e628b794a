import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { MAX_BULK_IDS } from '#shared/api/bulk.ts';
import type { ListPage } from '../lib/api.ts';
import { CursorPager } from '../ui/lists/cursor-pager.tsx';
import type { Trail } from '../ui/lists/cursors.ts';
import type { DataTable } from '../ui/lists/data-table.tsx';
import { QueryFailure } from './query-failure.tsx';
import { Pager } from '../ui/lists/pager.tsx';
import { SelectableTable } from '../ui/lists/selectable-table.tsx';
import type { MatchingRows } from '../ui/lists/use-matching-rows.ts';
import type { ListSelection } from '../ui/lists/use-selection.ts';
import { toastFailure } from './use-confirmed.tsx';

/** The cursors of the open page, in the address. */
export interface PageAddress {
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

type TableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'rowKey' | 'pageSize'>;

interface Props<Row> extends PageAddress, TableProps<Row> {
  result: Pick<
    UseQueryResult<{ items: Row[]; next: number | null }>,
    'data' | 'error' | 'isPlaceholderData' | 'refetch'
  >;
  filters?: ReactNode;
  isFiltered?: boolean;
  /** Replaces the table and its filters if the unfiltered list is empty. */
  none?: ReactNode;
  /** Replaces the table if this page is empty. */
  nothing?: ReactNode;
  total?: ReactNode;
  selection?: ListSelection<Row> | undefined;
}

/** A table of one page of a query, with the newest rows first; or the failure of the query. */
export function PagedTable<Row extends { id: number }>(props: Props<Row>) {
  const {
    result,
    trail,
    onTrail,
    filters,
    isFiltered = false,
    none,
    nothing,
    total,
    selection,
    ...table
  } = props;
  const { data, error, isPlaceholderData, refetch } = result;
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const isEmpty = data?.items.length === 0;
  if (none && isEmpty && !isFiltered && !trail) return none;
  return (
    <>
      {filters}
      <SelectableTable
        {...table}
        all={data?.items}
        rows={data?.items}
        rowKey={({ id }) => id}
        selection={selection}
        nothing={nothing}
      >
        <CursorPager
          trail={trail}
          onTrail={onTrail}
          next={data?.next ?? null}
          isTurning={isPlaceholderData}
          total={!isEmpty && total}
        />
      </SelectableTable>
    </>
  );
}

interface NumberedProps<Row> extends Omit<ComponentProps<typeof DataTable<Row>>, 'rows'> {
  result: Pick<UseQueryResult<Row[]>, 'data' | 'error' | 'refetch'>;
  page: number;
  onPage: (page: number) => void;
  pageSize: number;
  /** Replaces the table if there are no rows. */
  none: ReactNode;
  /** The dialogs of the rows. */
  children?: ReactNode;
  selection?: ListSelection<Row> | undefined;
}

/** A table of one page of the rows of a query, with its number in the address. */
export function NumberedTable<Row>(props: NumberedProps<Row>) {
  const { result, page, onPage, pageSize, none, children, selection, ...table } = props;
  const { data, error, refetch } = result;
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.length === 0) return none;
  const total = data?.length ?? 0;
  const shown = Math.min(page, Math.max(1, Math.ceil(total / pageSize)));
  return (
    <>
      <SelectableTable
        {...table}
        all={data}
        rows={data?.slice((shown - 1) * pageSize, shown * pageSize)}
        selection={selection}
      >
        <Pager page={shown} pageSize={pageSize} total={total} onPage={onPage} />
      </SelectableTable>
      {children}
    </>
  );
}

interface PagedList<Row> {
  result: { data: ListPage<Row> | undefined };
  trail: Trail;
  /** Changes with the filter and the order of the list. */
  key: string;
  count?: { count: number; is_whole: boolean } | undefined;
  /** Reads the first rows, at most MAX_BULK_IDS. */
  read: () => Promise<ListPage<Row>>;
}

/**
 * The rows that "Select all" selects in a list that is read page by page. Undefined: the list has one
 * page only.
 */
export function matchingOf<Row>(list: PagedList<Row>): MatchingRows<Row> | undefined {
  const { result, trail, key, count, read } = list;
  if (!trail && !result.data?.next) return undefined;
  return {
    key,
    limit: MAX_BULK_IDS,
    count: count ? { count: count.count, isWhole: count.is_whole } : null,
    load: async () => {
      try {
        const { items, next } = await read();
        return { rows: items, hasMore: next !== null };
      } catch (error) {
        toastFailure(error as Error);
        return null;
      }
    },
  };
}
