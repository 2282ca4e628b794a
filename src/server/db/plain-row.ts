// Rows with boolean flags and parsed JSON. Each store declares its columns of these kinds.

import type { Flag } from './tables/columns.ts';
import { fromFlag, toFlag } from './row.ts';

type Defined<T> = Exclude<T, undefined>;
type Absent<T> = Extract<T, undefined>;

type FlagColumn<Row> = {
  [Column in keyof Row]-?: [Defined<Row[Column]>] extends [Flag | null] ? Column : never;
}[keyof Row];

/** `Json` has the types of the parsed columns. */
export type Plain<Row, Json> = {
  [Column in keyof Row]: Column extends keyof Json
    ? Json[Column] | Absent<Row[Column]>
    : [Defined<Row[Column]>] extends [Flag | null]
      ? boolean | Absent<Row[Column]> | Extract<Row[Column], null>
      : Row[Column];
};

/** For tables without JSON. */
export type NoJson = Record<symbol, never>;

/** Requires every flag and every JSON column of the table. */
export type Columns<Row, Json> = Record<FlagColumn<Row>, 'flag'> & Record<keyof Json, 'json'>;

export const flagColumns = <Name extends string>(names: readonly Name[]): Record<Name, 'flag'> =>
  Object.fromEntries(names.map((name) => [name, 'flag'])) as Record<Name, 'flag'>;

type Kinds = Record<string, 'flag' | 'json'>;

export function toPlain<Row extends object, Json = NoJson>(
  columns: Columns<Row, Json>,
  row: Row,
): Plain<Row, Json> {
  // Spread objects are several times faster to read and serialize than `Object.fromEntries`.
  const plain = { ...row } as Record<string, unknown>;
  const kinds: Kinds = columns;
  // Avoids an array of entries per row.
  for (const name in kinds) {
    const value = plain[name];
    if (kinds[name] === 'json') plain[name] = JSON.parse(value as string);
    else if (value !== null) plain[name] = fromFlag(value as Flag);
  }
  return plain as Plain<Row, Json>;
}

/** Missing values stay missing, and null stays null. */
export function fromPlain(columns: Kinds, values: object): Record<string, unknown> {
  const row: Record<string, unknown> = { ...values };
  for (const [name, kind] of Object.entries(columns)) {
    if (row[name] === undefined || row[name] === null) continue;
    row[name] = kind === 'flag' ? toFlag(row[name] as boolean) : JSON.stringify(row[name]);
  }
  return row;
}
