// Every error becomes an answer here: a refusal with its code, a bug as 500 without its text.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wordOf } from '#shared/compatible/errors.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { stateOf } from '../../node/async/state-of.ts';
import { fullDisk } from '../../node/fs/disk-full.ts';
import { isUnavailable, shortReason } from '../db/lasting.ts';
import { AppError, fail } from '../lib/errors.ts';

export function replyError(
  error: FastifyError | AppError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error, request.routeOptions?.bodyLimit);
  // A refusal is not a bug and is not logged: its sentence says everything, and clients may repeat it every second.
  if (refusal.status >= 500 && !(error instanceof AppError)) logFailure(error, request);
  const body: ErrorBody = {
    error: wordOf(refusal.code, request.routeOptions?.url ?? '') ?? refusal.message,
    code: refusal.code,
    params: refusal.params,
    ...(refusal.fields.length > 0 && { fields: refusal.fields }),
    request_id: request.id,
    ...(refusal.code.endsWith('.in_use') && { inUse: true as const }),
  };
  // A validation answer names the first wrong field, for clients that show `error` only.
  const first = refusal.fields[0];
  const { seconds } = refusal.params;
  if (saysWhen.has(refusal.status) && seconds !== undefined) reply.header('Retry-After', seconds);
  if (first) body.error = first.path ? `${nameOf(first.path)}: ${first.message}` : first.message;
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(body);
}

/** By their servers: until when no further line about the database is logged. */
const quietOf = stateOf((_server: FastifyInstance) => ({ until: 0 }));

/** Logs a bug in full, and a database that is away with one line in ten seconds, however many requests come. */
function logFailure(error: Error, request: FastifyRequest): void {
  if (!isUnavailable(error)) return request.log.error({ err: error }, 'request failed');
  const quiet = quietOf(request.server);
  if (Date.now() < quiet.until) return;
  quiet.until = Date.now() + quietMs;
  request.log.error({ reason: shortReason(error) }, 'the database cannot be reached');
}

const quietMs = 10_000;

/** The statuses with which an answer may say when to ask again. */
const saysWhen = new Set([429, 503]);

// The field that clients of the older API read.
const nameOf = (path: string): string => (path === 'cron_format' ? 'Cron' : path);

/** Turns any thrown value into a refusal. */
export function toRefusal(error: unknown, limit = bodyLimit): AppError {
  if (error instanceof AppError) return error;
  const { code, message } = error as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return fail('request.malformed_json', { reason: message });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fail('request.too_large', { limit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fail('request.unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return fail('request.malformed_json', { reason: message });
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return fail('request.malformed_url');
    default:
      return roomRefusal(error) ?? databaseRefusal(error) ?? fail('request.internal');
  }
}

/** The refusal for a full disk. */
function roomRefusal(error: unknown): AppError | null {
  const full = fullDisk(error);
  if (full === null) return null;
  return full === 'folder' ? fail('system.disk_full') : fail('system.database_full');
}

/** The refusal for a database that is away. */
const databaseRefusal = (error: unknown): AppError | null =>
  isUnavailable(error) ? fail('system.database_unavailable', { seconds: 5 }) : null;

/** The largest body in bytes: an inventory of 4 MiB fits even if each of its characters is escaped. */
export const bodyLimit = 12 * 1024 * 1024;

/** How long a client has to send a request, in seconds. */
export const requestSeconds = 60;

// Fastify runs nothing for what Node cannot read as a request, so there is no id of one.
function refusalOf({ code }: NodeJS.ErrnoException): AppError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fail('request.incomplete', { seconds: requestSeconds });
    case 'HPE_HEADER_OVERFLOW':
      return fail('request.headers_too_large');
    default:
      return fail('request.not_http');
  }
}

/** Replies to what is no HTTP request, or does not arrive whole in time. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const { status, code, message, params } = refusalOf(error);
  const body: Omit<ErrorBody, 'request_id'> = { error: message, code, params };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
