// Sends the result of a handler, cut to what its endpoint declares.

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';

/** Returns what the handler of a route answers: the body, or the reply that is sent already. */
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
  // Node sends bytes faster than a text. Fastify waits for a reply that is sent here, not for bytes.
  return print(endpoint.reply, result);
}

/** A value as JSON, without what its schema does not name; throws unless the value fits the schema. */
const print = (schema: z.ZodType, value: unknown): Buffer =>
  Buffer.from(JSON.stringify(schema.parse(value)));

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Yields one JSON array with the items of all pages. */
async function* jsonArray(
  schema: z.ZodType,
  pages: AsyncIterable<unknown>,
): AsyncGenerator<Buffer> {
  let start = '[';
  for await (const page of pages) {
    const text = print(schema, page);
    if (text.length === emptyLength) continue;
    text.write(start);
    start = ',';
    yield text.subarray(0, -1);
  }
  yield Buffer.from(start === '[' ? '[]' : ']');
}

const emptyLength = '[]'.length;
