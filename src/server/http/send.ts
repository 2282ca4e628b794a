// Sends the result of a handler, reduced to the reply schema of its endpoint.

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';

/** Returns the body, or the reply that was sent. */
export function send(endpoint: Endpoint, reply: FastifyReply, result: unknown): unknown {
  if (endpoint.status === 204 || result === null) return reply.code(204).send();
  reply.code(endpoint.status);
  const textType = `${endpoint.textType}; charset=utf-8`;
  const isText = endpoint.reply instanceof z.ZodString;
  if (isAsyncIterable(result)) {
    reply.type(isText ? textType : 'application/json; charset=utf-8');
    return reply.send(Readable.from(isText ? result : jsonArray(endpoint.reply, result)));
  }
  const { revision } = result as { revision?: number };
  if (endpoint.versioned && revision !== undefined) reply.header('ETag', `"r${revision}"`);
  if (endpoint.status === 302) return reply.redirect(String(endpoint.reply.parse(result)), 302);
  if (isText) return reply.type(textType).send(endpoint.reply.parse(result));
  reply.type('application/json; charset=utf-8');
  // Node sends a buffer faster than a string.
  return serialize(endpoint.reply, result);
}

/** Drops unknown fields; throws unless the value matches the schema. */
const serialize = (schema: z.ZodType, value: unknown): Buffer =>
  Buffer.from(JSON.stringify(schema.parse(value)));

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Yields one JSON array with the items of all batches. */
async function* jsonArray(
  schema: z.ZodType,
  pages: AsyncIterable<unknown>,
): AsyncGenerator<Buffer> {
  let start = '[';
  for await (const page of pages) {
    const text = serialize(schema, page);
    if (text.length === '[]'.length) continue;
    text.write(start);
    start = ',';
    yield text.subarray(0, -1);
  }
  yield Buffer.from(start === '[' ? '[]' : ']');
}
