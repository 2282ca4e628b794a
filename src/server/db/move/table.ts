// What a move knows of a table: nothing that the databases do not say themselves.

import { createHash } from 'node:crypto';

export interface Table {
  name: string;
  /** In alphabetical order. */
  columns: string[];
  /** The columns of the primary key, in its order. */
  key: string[];
}

export type Value = string | number | null | Buffer;

/** The values of a row, in the order of the columns. */
export type Values = Value[];

export interface Digest {
  rows: number;
  checksum: string;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Of all rows, which have to come in the order of the primary key. */
export async function digest(rows: Iterable<Values> | AsyncIterable<Values>): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const row of rows) {
    count += 1;
    for (const value of row) {
      const bytes = Buffer.isBuffer(value) ? value : null;
      // Its length before each value, so that no two rows look the same.
      const text = bytes ? '' : JSON.stringify(value);
      hash.update(bytes ? `b${bytes.length}:` : `j${text.length}:${text}`);
      if (bytes) hash.update(bytes);
    }
    hash.update('\n');
  }
  return { rows: count, checksum: hash.digest('hex') };
}
