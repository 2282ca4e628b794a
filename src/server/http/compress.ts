// Compresses answers for the clients that accept it. Requests are read as they come, because a
// small compressed body could become a large one. The files of the console are compressed by the
// build already.

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

/** Shorter answers fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;

/** Shorter answers are compressed in less time than another thread needs to take and return them. */
const MIN_BYTES_ASIDE = 8 * 1024;

// Level 1 makes half of what gzip makes of a list, in a quarter of the time.
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const packZstd = promisify(zstdCompress);
const encodings = {
  zstd: {
    pack: (short: string | Buffer) => zstdCompressSync(short, fast),
    packAside: (whole: string | Buffer) => packZstd(whole, fast),
    stream: () => createZstdCompress(fast),
  },
  gzip: {
    pack: (short: string | Buffer) => gzipSync(short),
    packAside: promisify<string | Buffer, Buffer>(gzip),
    stream: () => createGzip(),
  },
};
type Encoding = keyof typeof encodings;

const compressibleTypes = /^text\/|[/+](?:json|javascript|xml)(?:;|$)/;

/** A hook `onSend`: returns what is sent instead of `payload`. */
export async function compressAnswer(
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
    const { pack, packAside } = encodings[encoding];
    const packed = bytes < MIN_BYTES_ASIDE ? pack(payload) : await packAside(payload);
    tellCompressed(reply, encoding).header('Content-Length', packed.length);
    return packed;
  }
  // The stream behind an answer to HEAD is not sent, so it is not compressed either.
  if (!(payload instanceof Readable) || request.method === 'HEAD') return payload;
  const encoding = encodingFor(request, reply);
  if (!encoding) return payload;
  tellCompressed(reply, encoding).removeHeader('Content-Length');
  // Fastify sees the error of a stream and ends the answer; it also ends this stream when the
  // client leaves.
  return pipeline(payload, encodings[encoding].stream(), () => {});
}

/** Whether an answer is whole, has a text, and is not compressed yet. */
function isCompressible(reply: FastifyReply): boolean {
  if (reply.hasHeader('Content-Encoding') || reply.hasHeader('Content-Range')) return false;
  if (reply.statusCode === 204 || reply.statusCode === 304) return false;
  return compressibleTypes.test(String(reply.getHeader('Content-Type') ?? ''));
}

/** The client's choice, null: uncompressed; tells caches that the answer depends on it. */
function encodingFor({ headers }: FastifyRequest, reply: FastifyReply): Encoding | null {
  const others = String(reply.getHeader('Vary') ?? '');
  if (!/accept-encoding/i.test(others)) {
    reply.header('Vary', others ? `${others}, Accept-Encoding` : 'Accept-Encoding');
  }
  const accepted = (headers['accept-encoding'] ?? '').toLowerCase();
  // `*` stands for what every client knows.
  const known = accepted.includes('zstd') ? ['zstd', 'gzip', 'identity'] : ['gzip', 'identity'];
  const chosen = negotiate(accepted, known);
  return chosen === 'zstd' || chosen === 'gzip' ? chosen : null;
}

function tellCompressed(reply: FastifyReply, encoding: Encoding): FastifyReply {
  const tag = reply.getHeader('ETag');
  // A strong tag promises the same bytes, and these are others.
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('ETag', `W/${tag}`);
  return reply.header('Content-Encoding', encoding);
}
