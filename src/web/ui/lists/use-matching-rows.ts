// "Select all" in a list that is read page by page: reads the rows of the other pages first.

import { useState } from 'react';
import { numberText, t } from '../../lib/i18n.ts';

export interface MatchingRows<Row> {
  /** Changes with the filter and the order of the list. */
  key: string;
  /** The most rows that are selected at once. */
  limit: number;
  /** How many rows match; null: unknown. `isWhole`: there are not more. */
  count: { count: number; isWhole: boolean } | null;
  /** Reads the first rows that match, at most `limit`; null after a failure, which was shown. */
  load: () => Promise<{ rows: Row[]; hasMore: boolean } | null>;
}

interface Loaded<Row> {
  key: string;
  rows: Row[];
  hasMore: boolean;
}

/** `rows`: of this page, and of all pages once they were read. */
export function useMatchingRows<Row>(
  page: Row[],
  keyOf: (row: Row) => string,
  matching: MatchingRows<Row> | undefined,
) {
  const [loaded, setLoaded] = useState<Loaded<Row> | null>(null);
  const current = matching && loaded?.key === matching.key ? loaded : null;
  const load = async (): Promise<Row[]> => {
    const found = await matching?.load();
    if (!matching || !found) return [];
    setLoaded({ key: matching.key, ...found });
    return found.rows;
  };
  return {
    rows: current ? merged(page, current.rows, keyOf) : page,
    /** Undefined: all rows are known. */
    load: matching && !current ? load : undefined,
    words: matching && !current ? selectWords(matching) : null,
    note: matching && current?.hasMore ? limitWords(matching) : null,
  };
}

/** The rows of the page are newer. */
function merged<Row>(page: Row[], all: Row[], keyOf: (row: Row) => string): Row[] {
  const newer = new Map(page.map((row) => [keyOf(row), row]));
  const known = new Set(all.map(keyOf));
  return [
    ...page.filter((row) => !known.has(keyOf(row))),
    ...all.map((row) => newer.get(keyOf(row)) ?? row),
  ];
}

type Limits = Pick<MatchingRows<never>, 'count' | 'limit'>;

const totalOf = ({ count, isWhole }: NonNullable<Limits['count']>): string =>
  `${numberText(count)}${isWhole ? '' : '+'}`;

function selectWords({ count, limit }: Limits): string {
  if (!count) return t('bulk.select_matching', { limit });
  if (count.isWhole && count.count <= limit) return t('bulk.select_all', { count: count.count });
  return t('bulk.select_first', { limit, total: totalOf(count) });
}

const limitWords = ({ count, limit }: Limits): string =>
  count
    ? t('bulk.only_first', { limit, total: totalOf(count) })
    : t('bulk.only_first_unknown', { limit });
