import { createHash } from 'node:crypto';

export interface Table {
  name: string;
  /** In alphabetical order. */
  columns: string[];
  /** The columns of the primary key, in order. */
  key: string[];
}

export type Value = string | number | null | Buffer;

/** In the order of the columns. */
export type Values = Value[];

export interface Digest {
  rows: number;
  checksum: string;
}

/** Rows must be ordered by primary key. */
export async function digest(rows: Iterable<Values> | AsyncIterable<Values>): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const row of rows) {
    count += 1;
    for (const value of row) {
      const bytes = Buffer.isBuffer(value) ? value : null;
      // The length prefix makes the encoding unambiguous.
      const text = bytes ? '' : JSON.stringify(value);
      hash.update(bytes ? `b${bytes.length}:` : `j${text.length}:${text}`);
      if (bytes) hash.update(bytes);
    }
    hash.update('\n');
  }
  return { rows: count, checksum: hash.digest('hex') };
}
