// Writes a backup as a tar archive, compressed with zstd. Its last member lists the SHA-256 sums of all
// files, in the form of `sha256sum`.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import { Header, Pax } from 'tar';
import { members } from './manifest.ts';

export type Member =
  | { type: 'file'; path: string; mode: number; mtime: Date; size: number; content: Content }
  | { type: 'folder'; path: string; mode: number; mtime: Date }
  | { type: 'link'; path: string; mtime: Date; target: string };

export type Content = Buffer | AsyncIterable<Buffer>;

export const blockBytes = 512;
/** Two empty blocks end an archive. */
export const endBytes = 2 * blockBytes;

// How many lines of sums are written at once.
const linesAtOnce = 500;

/** The archive as a stream. `workFolder` has room for a list of all members. */
export function archiveOf(list: AsyncIterable<Member>, workFolder: string): Readable {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  const compress = createZstdCompress({ params });
  const blocks = Readable.from(tarBlocks(list, join(workFolder, members.sums)), {
    objectMode: false,
  });
  blocks.once('error', (error) => compress.destroy(error));
  // Closes the file that is being read when the archive is not read to its end.
  compress.once('close', () => blocks.destroy());
  return blocks.pipe(compress);
}

async function* tarBlocks(list: AsyncIterable<Member>, sumsFile: string): AsyncIterable<Buffer> {
  let lines: string[] = [];
  await appendFile(sumsFile, '', { mode: 0o600 });
  for await (const member of list) {
    yield headOf(member);
    if (member.type !== 'file') continue;
    const hash = createHash('sha256');
    for await (const piece of piecesOf(member)) {
      hash.update(piece);
      yield piece;
    }
    yield padding(member.size);
    lines.push(sumLine(hash.digest('hex'), member.path));
    if (lines.length < linesAtOnce) continue;
    await appendFile(sumsFile, lines.join(''));
    lines = [];
  }
  await appendFile(sumsFile, lines.join(''));
  const { size } = await stat(sumsFile);
  yield headOf({
    type: 'file',
    path: members.sums,
    mode: 0o600,
    mtime: new Date(),
    size,
    content: Buffer.alloc(0),
  });
  yield* createReadStream(sumsFile) as AsyncIterable<Buffer>;
  yield padding(size);
  yield Buffer.alloc(endBytes);
}

/** The content, which must have exactly the size in the header. */
async function* piecesOf(member: Member & { type: 'file' }): AsyncIterable<Buffer> {
  let left = member.size;
  const pieces = Buffer.isBuffer(member.content) ? [member.content] : member.content;
  for await (const piece of pieces) {
    const wanted = piece.subarray(0, left);
    left -= wanted.length;
    yield wanted;
  }
  if (left > 0) throw new Error(`${member.path} became shorter while it was read.`);
}

const types = { file: 'File', folder: 'Directory', link: 'SymbolicLink' } as const;

function headOf(member: Member): Buffer {
  const { type, path, mtime } = member;
  const values = {
    path: type === 'folder' ? `${path}/` : path,
    mode: type === 'link' ? 0o777 : member.mode,
    size: type === 'file' ? member.size : 0,
    mtime,
    type: types[type],
    uid: 0,
    gid: 0,
    ...(type === 'link' && { linkpath: member.target }),
  };
  const block = Buffer.alloc(blockBytes);
  const needsPax = new Header(values).encode(block);
  return needsPax ? Buffer.concat([new Pax(values).encode(), block]) : block;
}

/** The zeros behind a content of this size. */
export const paddingBytes = (size: number): number =>
  (blockBytes - (size % blockBytes)) % blockBytes;
const padding = (size: number): Buffer => Buffer.alloc(paddingBytes(size));

/** A line of `sha256sum`, which escapes special names. */
export function sumLine(sum: string, path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === path ? '' : '\\'}${sum}  ${escaped}\n`;
}
