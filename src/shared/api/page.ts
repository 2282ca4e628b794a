// The query parameters of lists: sort, order, limit, and a cursor for long lists.

import { z } from 'zod';
import { idParam, numberParam, optionalLine } from '../fields.ts';

const limit = numberParam(1000).optional();

/** A case-insensitive search; empty: all entries. */
export const searchText = optionalLine(250).optional();

/**
 * `sort` and `order` over the columns, of which the first is the default. `ignored`: columns by which clients of the
 * older API sort and this server does not, because their order would reveal hidden values.
 */
export function sortedQuery<const Columns extends readonly [string, ...string[]]>(
  columns: Columns,
  ignored: readonly string[] = [],
) {
  const isKnown = (column: string): column is Columns[number] => !ignored.includes(column);
  return z.object({
    sort: z
      .enum([...columns, ...ignored])
      .meta(ignored.length > 0 ? { 'x-compatible-values': ignored } : {})
      .optional()
      .transform((column) => (column !== undefined && isKnown(column) ? column : undefined)),
    order: z.enum(['asc', 'desc']).optional(),
    limit,
  });
}

/** Newest first, after the id `before`. The header `Link` has the next page. */
export const newestFirstQuery = z.object({ limit, before: idParam.optional() });

/** The sentence about `q` in the summaries of long lists. */
export const searching =
  'With `q` a page ends after 50,000 were looked at, however few it found: `Link` leads on';
