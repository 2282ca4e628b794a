// Protects against DNS rebinding, with which pages of a foreign name could read responses.

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { fail, type AppError } from '../lib/errors.ts';

export type IsOwnHost = (host: string) => boolean;

type Settings = Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>;

export function createOwnHosts(
  { host, publicUrl, allowedHosts }: Settings,
  addresses: () => string[] = interfaceAddresses,
): IsOwnHost {
  const given = [host, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])];
  const names = new Set([...given, ...allowedHosts].flatMap((name) => nameOf(asHost(name)) ?? []));
  const listensOnAll = ['0.0.0.0', '::', ''].includes(host);
  return (header) => {
    const name = nameOf(header);
    if (name === null) return false;
    if (isLoopback(name) || names.has(name)) return true;
    return listensOnAll && addresses().some((address) => nameOf(asHost(address)) === name);
  };
}

/** The normalised host of a Host header; null when invalid. */
function nameOf(header: string): string | null {
  if (!/^[\w.:[\]-]{1,255}$/.test(header) || !URL.canParse(`http://${header}`)) return null;
  return new URL(`http://${header}`).hostname.replace(/\.$/, '');
}

const asHost = (name: string): string => (isIP(name) === 6 ? `[${name}]` : name);

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);

/** Read at each call, because addresses may change. */
const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));

/** Whether a browser may use a foreign name for this server. Only programs send no Host, or a token. */
export function isMisled(request: FastifyRequest, isOwnHost: IsOwnHost): boolean {
  if (request.routeOptions.config.anyHost || request.headers.authorization !== undefined) {
    return false;
  }
  return request.headers.host !== undefined && !isOwnHost(request.host);
}

export const unknownHost = (host: string): AppError =>
  fail('request.unknown_host', { host: host.slice(0, 255) });

// CSRF protection: requests that change something must come from our own pages or from programs.

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
