// Sends the result of a handler, cut to what its endpoint declares.

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';

export function send(endpoint: Endpoint, reply: FastifyReply, result: unknown): unknown {
  if (endpoint.status === 204 || result === null) return reply.code(204).send();
  reply.code(endpoint.status);
  const textType = `${endpoint.textType}; charset=utf-8`;
  if (isAsyncIterable(result)) {
    const isText = endpoint.reply instanceof z.ZodString;
    reply.type(isText ? textType : 'application/json; charset=utf-8');
    return reply.send(Readable.from(isText ? result : jsonArray(endpoint.reply, result)));
  }
  const { revision } = result as { revision?: number };
  if (endpoint.versioned && revision !== undefined) reply.header('ETag', `"r${revision}"`);
  const cut: unknown = endpoint.reply.parse(result);
  if (endpoint.status === 302) return reply.redirect(String(cut), 302);
  if (typeof cut === 'string') return reply.type(textType).send(cut);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(cut));
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* jsonArray(
  schema: z.ZodType,
  items: AsyncIterable<unknown>,
): AsyncGenerator<string> {
  const { element } = schema as z.ZodArray;
  let piece = '[';
  let separator = '';
  for await (const item of items) {
    piece += separator + JSON.stringify((element as z.ZodType).parse(item));
    separator = ',';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}

// The size of the pieces in which a long answer is sent, in characters.
const pieceLength = 64 * 1024;
