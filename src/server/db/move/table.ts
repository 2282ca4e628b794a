// What a move needs to know about a table, all of it read from the databases.

import { createHash } from 'node:crypto';

export interface Table {
  name: string;
  /** The columns in alphabetical order. */
  columns: string[];
  /** The columns of the primary key, in their order. */
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

/** The checksum of all rows, which must be passed in the order of the primary key. */
export async function digest(rows: Iterable<Values> | AsyncIterable<Values>): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const row of rows) {
    count += 1;
    for (const value of row) {
      const bytes = Buffer.isBuffer(value) ? value : null;
      // Each value is preceded by its length, so that different rows never give the same bytes.
      const text = bytes ? '' : JSON.stringify(value);
      hash.update(bytes ? `b${bytes.length}:` : `j${text.length}:${text}`);
      if (bytes) hash.update(bytes);
    }
    hash.update('\n');
  }
  return { rows: count, checksum: hash.digest('hex') };
}
