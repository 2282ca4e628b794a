// Writes the index of a repository in version 2 of git's format (`gitformat-index`): with it, git sees
// that files are those of a commit without reading them.

import { createHash } from 'node:crypto';

/** The state of a file, as the system tells it. */
type State = Record<'ctimeNs' | 'mtimeNs' | 'dev' | 'ino' | 'uid' | 'gid' | 'size', bigint>;

export interface IndexEntry {
  path: string;
  mode: number;
  /** The SHA-1 of the blob, as hexadecimal digits. */
  id: string;
  /** That of the file that was just written. */
  state: State;
}

/** The bytes of the index; the entries are in the order of their paths, as git lists them. */
export function printIndex(entries: IndexEntry[]): Buffer {
  const head = Buffer.from('DIRC\0\0\0\u0002\0\0\0\0', 'latin1');
  head.writeUInt32BE(entries.length, 8);
  const content = Buffer.concat([head, ...entries.map(printEntry)]);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}

const fixedBytes = 62;
const longestLength = 0xfff;
const billion = 1_000_000_000n;

function printEntry({ path, mode, id, state }: IndexEntry): Buffer {
  const name = Buffer.from(path);
  // At least one byte of zero ends the name, and each entry fills groups of eight bytes.
  const entry = Buffer.alloc((fixedBytes + name.length + 8) & ~7);
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = state;
  const times = [ctimeNs, mtimeNs].flatMap((time) => [time / billion, time % billion]);
  const words = [...times, dev, ino, BigInt(mode), uid, gid, size];
  // Git keeps the lower 32 bits of each.
  for (const [index, word] of words.entries()) {
    entry.writeUInt32BE(Number(BigInt.asUintN(32, word)), 4 * index);
  }
  entry.write(id, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, longestLength), 60);
  name.copy(entry, fixedBytes);
  return entry;
}
