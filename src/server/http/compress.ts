// Compresses responses. Requests are never decompressed, because a small body could expand without limit.
// The files of the console are compressed at build time.

import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  constants,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Less is sent as quickly as it is compressed. */
const MIN_COMPRESSED_BYTES = 512;

/** Below it, compressing synchronously is faster than using the thread pool. */
const MIN_ASYNC_BYTES = 8 * 1024;

// Level 1 produces half the size of gzip in a quarter of the time.
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const packZstd = promisify(zstdCompress);
const encodings = {
  zstd: {
    pack: (short: string | Buffer) => zstdCompressSync(short, fast),
    packAsync: (whole: string | Buffer) => packZstd(whole, fast),
    stream: () => createZstdCompress(fast),
  },
  gzip: {
    pack: (short: string | Buffer) => gzipSync(short),
    packAsync: promisify<string | Buffer, Buffer>(gzip),
    stream: () => createGzip(),
  },
};
type Encoding = keyof typeof encodings;

const compressibleTypes = /^text\/|[/+](?:json|javascript|xml)(?:;|$)/;

/** An `onSend` hook. */
export async function compressResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!isCompressible(reply)) return payload;
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    const bytes = Buffer.byteLength(payload);
    if (bytes < MIN_COMPRESSED_BYTES) return payload;
    const encoding = encodingFor(request, reply);
    if (!encoding) return payload;
    const { pack, packAsync } = encodings[encoding];
    const packed = bytes < MIN_ASYNC_BYTES ? pack(payload) : await packAsync(payload);
    markCompressed(reply, encoding).header('Content-Length', packed.length);
    return packed;
  }
  // The body of a response to HEAD is not sent.
  if (!(payload instanceof Readable) || request.method === 'HEAD') return payload;
  const encoding = encodingFor(request, reply);
  if (!encoding) return payload;
  markCompressed(reply, encoding).removeHeader('Content-Length');
  // Fastify handles stream errors and aborts.
  return pipeline(payload, encodings[encoding].stream(), () => {});
}

function isCompressible(reply: FastifyReply): boolean {
  if (reply.hasHeader('Content-Encoding') || reply.hasHeader('Content-Range')) return false;
  if (reply.statusCode === 204 || reply.statusCode === 304) return false;
  return compressibleTypes.test(String(reply.getHeader('Content-Type') ?? ''));
}

/** Returns null for no compression, and sets `Vary`. */
function encodingFor({ headers }: FastifyRequest, reply: FastifyReply): Encoding | null {
  const others = String(reply.getHeader('Vary') ?? '');
  if (!/accept-encoding/i.test(others)) {
    reply.header('Vary', others ? `${others}, Accept-Encoding` : 'Accept-Encoding');
  }
  const accepted = (headers['accept-encoding'] ?? '').toLowerCase();
  // `*` matches only what every client supports.
  const known = accepted.includes('zstd') ? ['zstd', 'gzip', 'identity'] : ['gzip', 'identity'];
  const chosen = negotiate(accepted, known);
  return chosen === 'zstd' || chosen === 'gzip' ? chosen : null;
}

function markCompressed(reply: FastifyReply, encoding: Encoding): FastifyReply {
  const tag = reply.getHeader('ETag');
  // A strong ETag would promise the same bytes.
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('ETag', `W/${tag}`);
  return reply.header('Content-Encoding', encoding);
}
