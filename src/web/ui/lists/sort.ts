// The column by which a table is sorted: its key, with a dash before it for the other direction.

interface Sortable<Row> {
  key: string;
  sortBy?: (row: Row) => string | number;
}

type Direction = 'ascending' | 'descending';

/** The direction of a column; null if the table is not sorted by it. */
export function directionOf(sort: string, key: string): Direction | null {
  if (sort === key) return 'ascending';
  return sort === `-${key}` ? 'descending' : null;
}

/**
 * The order after a click on a heading: ascending, descending, then the order of the server.
 * `isNewestFirst`: descending comes first.
 */
export function nextSort(sort: string, key: string, isNewestFirst = false): string {
  const [first, second] = isNewestFirst ? [`-${key}`, key] : [key, `-${key}`];
  if (directionOf(sort, key) === null) return first;
  return sort === first ? second : '';
}

// "web2" comes before "web10".
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Natural order. */
export const compareTexts = (a: string, b: string): number => collator.compare(a, b);

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));

export function sorted<Row>(rows: Row[], columns: Sortable<Row>[], sort: string): Row[] {
  const column = columns.find(({ key }) => directionOf(sort, key) !== null);
  const by = column?.sortBy;
  if (!by) return rows;
  const sign = sort.startsWith('-') ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(by(a), by(b)));
}
