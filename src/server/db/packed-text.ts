// Texts as they are stored: compressed. A long one is compressed outside the event loop. For a short one
// that would take longer than the work itself.

import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes up to which a text is short. */
const shortBytes = 8 * 1024;
// zlib's default buffers cost more than the work.
const packedSize = 16 * 1024;

export async function pack(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const options = { chunkSize: packedSize, pledgedSrcSize: bytes.length };
  return bytes.length > shortBytes ? compress(bytes, options) : zstdCompressSync(bytes, options);
}

/** `mostBytes`: the text is not longer than this; absent: nobody knows. */
export async function unpack(data: Buffer, mostBytes = Infinity): Promise<string> {
  const options = Number.isFinite(mostBytes) ? { chunkSize: mostBytes } : {};
  const bytes =
    mostBytes > shortBytes ? await decompress(data, options) : zstdDecompressSync(data, options);
  return bytes.toString('utf8');
}
