// The rows that "Select all" selects in a list that is read page by page.

import { MAX_BULK_IDS } from '#shared/api/bulk.ts';
import type { ListPage } from '../lib/api.ts';
import type { Trail } from '../ui/lists/cursors.ts';
import type { MatchingRows } from '../ui/lists/use-matching-rows.ts';
import { toastFailure } from './use-confirmed.tsx';

interface PagedList<Row> {
  result: { data: ListPage<Row> | undefined };
  trail: Trail;
  /** Changes with the filter and the order of the list. */
  key: string;
  count?: { count: number; is_whole: boolean } | undefined;
  /** Reads the first rows, at most MAX_BULK_IDS. */
  read: () => Promise<ListPage<Row>>;
}

/** Undefined: the list has one page only. */
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
