// CSRF protection: requests that change something must come from our own pages or from programs.

import type { FastifyRequest } from 'fastify';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers always send one of these headers; programs send neither. */
export function isCrossSite(request: FastifyRequest, publicUrl: string | null): boolean {
  if (safeMethods.has(request.method)) return false;
  // Pages cannot add a token, and the cookie of such a request is ignored.
  if (request.headers.authorization !== undefined) return false;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  return origin !== undefined && !isOwnOrigin(origin, request.headers.host, publicUrl);
}

/**
 * Whether the content type is ignored: for programs, and for requests with a token and no content type.
 * Browsers must send the JSON content type, which cross-site forms cannot.
 */
export function isReadAsJson({ headers }: FastifyRequest): boolean {
  const isOfBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  const hasNoType = headers['content-type'] === undefined;
  return !isOfBrowser || (headers.authorization !== undefined && hasNoType);
}

/** Whether an Origin header names this server. */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  publicUrl: string | null,
): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host === host || (publicUrl !== null && url.origin === new URL(publicUrl).origin);
}
