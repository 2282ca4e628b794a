// Takes backups apart and puts them together again with other members, as an attacker could.

import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Header, Pax } from 'tar';
import {
  blockBytes,
  paddingBytes,
  sumLine,
} from '../../src/server/administration/installation-backup/archive-writer.ts';

export interface RawMember {
  path: string;
  /** The name that tar gives to the kind, such as `File` or `CharacterDevice`. */
  type: string;
  mode?: number;
  linkpath?: string;
  /** The size in the head; absent: that of the content. */
  size?: number;
  content: Buffer;
}

/** All members but the sums. */
export function takeApart(archive: Buffer): RawMember[] {
  const bytes = zstdDecompressSync(archive);
  const list: RawMember[] = [];
  let pax: Pax | undefined;
  for (let at = 0; ;) {
    const header = new Header(bytes.subarray(at, at + blockBytes), 0, pax);
    at += blockBytes;
    const size = header.size ?? 0;
    const content = bytes.subarray(at, at + size);
    at += size + paddingBytes(size);
    if (header.type === 'ExtendedHeader') {
      pax = Pax.parse(content.toString('utf8'));
      continue;
    }
    pax = undefined;
    if (header.path === 'SHA256SUMS') return list;
    const { path = '', type, mode = 0o600, linkpath } = header;
    list.push({ path, type, mode, ...(linkpath !== undefined && { linkpath }), content });
  }
}

/** The archive of these members, with the right sums. */
export function putTogether(members: RawMember[]): Buffer {
  const sums = members
    .filter(({ type }) => type === 'File')
    .map(({ path, content }) => sumLine(sumOf(content), path))
    .join('');
  const last = { path: 'SHA256SUMS', type: 'File', content: Buffer.from(sums) };
  const blocks = [...members, last].flatMap(blocksOf);
  return zstdCompressSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]));
}

const sumOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

function blocksOf({ path, type, mode = 0o600, linkpath, size, content }: RawMember): Buffer[] {
  const values = {
    path,
    type: type as 'File',
    mode,
    size: size ?? content.length,
    mtime: new Date(0),
    uid: 0,
    gid: 0,
    ...(linkpath !== undefined && { linkpath }),
  };
  const block = Buffer.alloc(blockBytes);
  const needsPax = new Header(values).encode(block);
  const head = needsPax ? [new Pax(values).encode(), block] : [block];
  return [...head, content, Buffer.alloc(paddingBytes(content.length))];
}
