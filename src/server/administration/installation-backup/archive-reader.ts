// Reads a backup and trusts nothing in it: every name, type and sum is checked. Nothing is written here.

import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { Header, Pax } from 'tar';
import { ConfigError } from '../../../node/config-error.ts';
import { blockBytes, endBytes, paddingBytes, sumLine } from './archive-writer.ts';
import { formatVersion, manifestSchema, members, type Manifest } from './manifest.ts';

export interface ReadMember {
  type: 'file' | 'folder' | 'link';
  /** Relative, without `.` and `..`. */
  path: string;
  mode: number;
  mtime: Date;
  size: number;
  /** Where a link points to; empty for others. */
  target: string;
  content: AsyncIterable<Buffer>;
}

// In bytes.
const MAX_MANIFEST_LENGTH = 16 * 1024 * 1024;
const MAX_EXTENSION_LENGTH = 1024 * 1024;

export class DamagedBackup extends ConfigError {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The backup is damaged, or is no backup of an installation: ${reason}.`, options);
  }
}

/**
 * Reads an archive to its end. `begin` receives the manifest first; `take` receives each further member,
 * and may leave its content unread. The sums are at the end, so the data is verified only when the promise
 * resolves.
 */
export async function readArchive(
  source: Readable,
  begin: (manifest: Manifest) => Promise<void>,
  take: (member: ReadMember) => Promise<void>,
): Promise<Manifest> {
  const stream = createZstdDecompress();
  source.once('error', (error) => stream.destroy(error));
  const bytes = new Bytes(source.pipe(stream));
  try {
    return await readMembers(bytes, begin, take);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (/^(?:Z_|ZSTD_)/.test(code)) {
      throw new DamagedBackup('it is cut off or altered', { cause: error });
    }
    throw error;
  } finally {
    source.destroy();
    stream.destroy();
  }
}

async function readMembers(
  bytes: Bytes,
  begin: (manifest: Manifest) => Promise<void>,
  take: (member: ReadMember) => Promise<void>,
): Promise<Manifest> {
  const sums = createHash('sha256');
  const first = await nextMember(bytes);
  if (first?.path !== members.manifest)
    throw new DamagedBackup('it does not begin with a manifest');
  const manifest = await readManifest(bytes, first, sums);
  await begin(manifest);
  for (;;) {
    const member = await nextMember(bytes);
    if (!member) throw new DamagedBackup('its end is missing');
    if (member.path === members.sums) {
      await checkSums(bytes, member, sums);
      return manifest;
    }
    const content = summed(bytes, member, sums);
    await take({ ...member, content });
    // What was not read is part of the sums all the same.
    await readToEnd(content);
  }
}

async function readToEnd(pieces: AsyncIterable<Buffer>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) if ((await iterator.next()).done) return;
}

async function readManifest(bytes: Bytes, member: ReadMember, sums: Hash): Promise<Manifest> {
  if (member.size > MAX_MANIFEST_LENGTH) throw new DamagedBackup('its manifest is too long');
  const pieces: Buffer[] = [];
  for await (const piece of summed(bytes, member, sums)) pieces.push(piece);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (cause) {
    throw new DamagedBackup('its manifest is not JSON', { cause });
  }
  const { format } = (value ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format > formatVersion) {
    throw new ConfigError(
      'The backup was made by a newer version of Signalbox. Use that version or a later one.',
    );
  }
  const { success, data } = manifestSchema.safeParse(value);
  if (!success) throw new DamagedBackup('its manifest is incomplete');
  return data;
}

/** The content of a member; at its end its sum is added to those of the members before. */
async function* summed(bytes: Bytes, member: ReadMember, sums: Hash): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of bytes.pass(member.size)) {
    hash.update(piece);
    yield piece;
  }
  await bytes.skip(paddingBytes(member.size));
  if (member.type === 'file') sums.update(sumLine(hash.digest('hex'), member.path));
}

async function checkSums(bytes: Bytes, member: ReadMember, sums: Hash): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of bytes.pass(member.size)) hash.update(piece);
  await bytes.skip(paddingBytes(member.size));
  if (!hash.digest().equals(sums.digest())) {
    throw new DamagedBackup('the sums of its files are not those that it names');
  }
  // Reading the rest verifies the checksum of the compressed stream. Truncation raises no error, so the
  // empty blocks at the end are counted.
  let zeros = 0;
  for await (const piece of bytes.rest()) {
    zeros += piece.length;
    if (piece.some((byte) => byte !== 0))
      throw new DamagedBackup('there is something after its end');
  }
  if (zeros < endBytes) throw new DamagedBackup('its end is missing');
}

const types: Record<string, ReadMember['type']> = {
  File: 'file',
  Directory: 'folder',
  SymbolicLink: 'link',
};

/** Null at the end of the archive. */
async function nextMember(bytes: Bytes): Promise<ReadMember | null> {
  let pax: Pax | undefined;
  for (;;) {
    const header = new Header(await bytes.take(blockBytes), 0, pax);
    if (header.nullBlock) return null;
    if (!header.cksumValid) throw new DamagedBackup('a head has a wrong sum');
    if (header.type === 'ExtendedHeader') {
      pax = await readPax(bytes, header.size ?? 0);
      continue;
    }
    return toMember(header, pax);
  }
}

async function readPax(bytes: Bytes, size: number): Promise<Pax> {
  if (size > MAX_EXTENSION_LENGTH) throw new DamagedBackup('a name is too long');
  const body = await bytes.take(size);
  await bytes.skip(paddingBytes(size));
  return Pax.parse(body.toString('utf8'));
}

function toMember(header: Header, pax: Pax | undefined): ReadMember {
  const { size = 0, mode = 0, mtime = new Date(0) } = header;
  const path = (header.path ?? '').replace(/\/$/, '');
  const type = types[header.type];
  if (!type) throw new DamagedBackup(`${JSON.stringify(path)} is of the kind ${header.type}`);
  if (!isPlainPath(path)) throw new DamagedBackup(`${JSON.stringify(path)} is no path inside`);
  if (!Number.isSafeInteger(size) || (type !== 'file' && size > 0)) {
    throw new DamagedBackup(`${JSON.stringify(path)} has no valid size`);
  }
  const target = type === 'link' ? (pax?.linkpath ?? header.linkpath ?? '') : '';
  // Bits such as setuid are never restored.
  return { type, path, mode: mode & 0o777, mtime, size, target, content: nothing() };
}

async function* nothing(): AsyncIterable<Buffer> {}

/** Whether a path stays inside, whatever it is joined to. */
const isPlainPath = (path: string): boolean =>
  path !== '' &&
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** Splits a stream into pieces of exact sizes. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Null at the end. */
  async #next(most: number): Promise<Buffer | null> {
    while (this.#left.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) return null;
      this.#left = value;
    }
    const piece = this.#left.subarray(0, most);
    this.#left = this.#left.subarray(piece.length);
    return piece;
  }

  async *pass(size: number): AsyncIterable<Buffer> {
    for (let left = size; left > 0;) {
      const piece = await this.#next(left);
      if (!piece) throw new DamagedBackup('its end is missing');
      left -= piece.length;
      yield piece;
    }
  }

  async take(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pass(size)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async skip(size: number): Promise<void> {
    await readToEnd(this.pass(size));
  }

  async *rest(): AsyncIterable<Buffer> {
    for (let piece = await this.#next(Infinity); piece; piece = await this.#next(Infinity)) {
      yield piece;
    }
  }
}
