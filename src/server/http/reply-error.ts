// Converts every error into a response: a refusal with its code, or a 500 without details.

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
  // Refusals are not logged: clients may repeat them every second.
  if (refusal.status >= 500 && !(error instanceof AppError)) logFailure(error, request);
  const body: ErrorBody = {
    error: wordOf(refusal.code, request.routeOptions?.url ?? '') ?? refusal.message,
    code: refusal.code,
    params: refusal.params,
    ...(refusal.fields.length > 0 && { fields: refusal.fields }),
    request_id: request.id,
    ...(refusal.code.endsWith('.in_use') && { inUse: true as const }),
  };
  // `error` has the first wrong field, for clients that show nothing else.
  const first = refusal.fields[0];
  const { seconds } = refusal.params;
  if (retryStatuses.has(refusal.status) && seconds !== undefined)
    reply.header('Retry-After', seconds);
  if (first) body.error = first.path ? `${nameOf(first.path)}: ${first.message}` : first.message;
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(body);
}

/** By their servers: until when no further line about the database is logged. */
const quietOf = stateOf((_server: FastifyInstance) => ({ until: 0 }));

/** Logs an unreachable database once in ten seconds, not for every request. */
function logFailure(error: Error, request: FastifyRequest): void {
  if (!isUnavailable(error)) return request.log.error({ err: error }, 'request failed');
  const quiet = quietOf(request.server);
  if (Date.now() < quiet.until) return;
  quiet.until = Date.now() + QUIET_MS;
  request.log.error({ reason: shortReason(error) }, 'the database cannot be reached');
}

const QUIET_MS = 10_000;

/** Statuses with a Retry-After header. */
const retryStatuses = new Set([429, 503]);

// The field that clients of the older API read.
const nameOf = (path: string): string => (path === 'cron_format' ? 'Cron' : path);

export function toRefusal(error: unknown, limit = bodyLimit): AppError {
  if (error instanceof AppError) return error;
  const { code, message } = error as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return fail('request.malformed_json', { reason: message });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fail('request.too_large', { limit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fail('request.unsupported_media_type');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return fail('request.malformed_url');
    default:
      return databaseRefusal(error) ?? fail('request.internal');
  }
}

/** For a full disk or an unreachable database. */
function databaseRefusal(error: unknown): AppError | null {
  const full = fullDisk(error);
  if (full === 'folder') return fail('system.disk_full');
  if (full === 'database') return fail('system.database_full');
  return isUnavailable(error) ? fail('system.database_unavailable', { seconds: 5 }) : null;
}

/** In bytes: an inventory of 4 MiB fits even if each character is escaped. */
export const bodyLimit = 12 * 1024 * 1024;

/** The timeout for a whole request. */
export const requestSeconds = 60;

// Fastify does not handle what Node cannot parse, so there is no request id.
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

/** Replies to invalid or incomplete HTTP requests. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const { status, code, message, params } = refusalOf(error);
  const body: Omit<ErrorBody, 'request_id'> = { error: message, code, params };
  const text = JSON.stringify(body);
  socket.end(rawResponse(status, 'application/json', text), () => socket.destroy());
}

/** A whole HTTP response, for sockets without a request of Fastify. */
export const rawResponse = (status: number, type: string, text: string): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n');
