// Compression of stored texts; long ones are compressed outside the event loop.

import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const MAX_SYNC_BYTES = 8 * 1024;
// Allocating zlib's default buffers takes longer than the compression.
const CHUNK_BYTES = 16 * 1024;

export async function pack(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const options = { chunkSize: CHUNK_BYTES, pledgedSrcSize: bytes.length };
  return bytes.length > MAX_SYNC_BYTES
    ? compress(bytes, options)
    : zstdCompressSync(bytes, options);
}

/** `mostBytes`: the upper limit of the size, if known. */
export async function unpack(data: Buffer, mostBytes = Infinity): Promise<string> {
  const options = Number.isFinite(mostBytes) ? { chunkSize: mostBytes } : {};
  const bytes =
    mostBytes > MAX_SYNC_BYTES
      ? await decompress(data, options)
      : zstdDecompressSync(data, options);
  return bytes.toString('utf8');
}
