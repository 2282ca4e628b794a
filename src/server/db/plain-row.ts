// Rows as use cases see them: flags are booleans, and JSON is parsed. A store declares the columns
// of each kind, and converts none by hand.

import type { Flag } from './tables/columns.ts';
import { fromFlag, toFlag } from './row.ts';

type Defined<T> = Exclude<T, undefined>;
type Absent<T> = Extract<T, undefined>;

type FlagColumn<Row> = {
  [Column in keyof Row]-?: [Defined<Row[Column]>] extends [Flag | null] ? Column : never;
}[keyof Row];

/** `Json` has the types of the parsed columns, by their names. */
export type Plain<Row, Json> = {
  [Column in keyof Row]: Column extends keyof Json
    ? Json[Column] | Absent<Row[Column]>
    : [Defined<Row[Column]>] extends [Flag | null]
      ? boolean | Absent<Row[Column]> | Extract<Row[Column], null>
      : Row[Column];
};

/** For a table without JSON. */
export type NoJson = Record<symbol, never>;

/** Names every flag of the table, so that none is forgotten, and its columns with JSON. */
export type Columns<Row, Json> = Record<FlagColumn<Row>, 'flag'> & Record<keyof Json, 'json'>;

/** The columns of a list of flags. */
export const flagColumns = <Name extends string>(names: readonly Name[]): Record<Name, 'flag'> =>
  Object.fromEntries(names.map((name) => [name, 'flag'])) as Record<Name, 'flag'>;

type Kinds = Record<string, 'flag' | 'json'>;

export function toPlain<Row extends object, Json = NoJson>(
  columns: Columns<Row, Json>,
  row: Row,
): Plain<Row, Json> {
  // Spread, because objects from entries are several times slower to read and to print.
  const plain = { ...row } as Record<string, unknown>;
  const kinds: Kinds = columns;
  // Without a list of the columns for each row.
  for (const name in kinds) {
    const value = plain[name];
    if (kinds[name] === 'json') plain[name] = JSON.parse(value as string);
    else if (value !== null) plain[name] = fromFlag(value as Flag);
  }
  return plain as Plain<Row, Json>;
}

/** Converts the given values only; missing ones stay missing, and null stays null. */
export function fromPlain(columns: Kinds, values: object): Record<string, unknown> {
  const row: Record<string, unknown> = { ...values };
  for (const [name, kind] of Object.entries(columns)) {
    if (row[name] === undefined || row[name] === null) continue;
    row[name] = kind === 'flag' ? toFlag(row[name] as boolean) : JSON.stringify(row[name]);
  }
  return row;
}
