// Compresses answers for the clients that accept it. Requests are read as they come, because a
// small compressed body could become a large one. The files of the console are compressed by the
// build already.

import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Shorter answers fit into one packet anyway. */
const leastCompressedBytes = 1024;

const compressibleTypes = /^text\/|[/+](?:json|javascript|xml)(?:;|$)/;

/** A hook `onSend`: answers what is sent instead of `payload`. */
export async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!isCompressible(reply)) return payload;
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    if (Buffer.byteLength(payload) < leastCompressedBytes) return payload;
    if (!acceptsGzip(request, reply)) return payload;
    // Compressed beside the main thread.
    const short = await promisify(gzip)(payload);
    tellCompressed(reply).header('Content-Length', short.length);
    return short;
  }
  // The stream behind an answer to HEAD is not sent, so it is not compressed either.
  if (!(payload instanceof Readable) || request.method === 'HEAD') return payload;
  if (!acceptsGzip(request, reply)) return payload;
  tellCompressed(reply).removeHeader('Content-Length');
  // Fastify sees the error of a stream and ends the answer; it also ends this stream when the
  // client leaves.
  return pipeline(payload, createGzip(), () => {});
}

/** Whether an answer is whole, has a text, and is not compressed yet. */
function isCompressible(reply: FastifyReply): boolean {
  if (reply.hasHeader('Content-Encoding') || reply.hasHeader('Content-Range')) return false;
  if (reply.statusCode === 204 || reply.statusCode === 304) return false;
  return compressibleTypes.test(String(reply.getHeader('Content-Type') ?? ''));
}

/** Asks for the client's choice, and tells caches that the answer depends on it. */
function acceptsGzip({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const others = String(reply.getHeader('Vary') ?? '');
  if (!/accept-encoding/i.test(others)) {
    reply.header('Vary', others ? `${others}, Accept-Encoding` : 'Accept-Encoding');
  }
  const accepted = (headers['accept-encoding'] ?? '').toLowerCase();
  return negotiate(accepted, ['gzip', 'identity']) === 'gzip';
}

function tellCompressed(reply: FastifyReply): FastifyReply {
  const tag = reply.getHeader('ETag');
  // A strong tag promises the same bytes, and these are others.
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('ETag', `W/${tag}`);
  return reply.header('Content-Encoding', 'gzip');
}
