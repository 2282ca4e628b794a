// The names and addresses that this server answers to. A browser that was led here under another
// name, by whoever owns that name, would take our answers for those of that site.

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { fail, type AppError } from '../errors.ts';

/** Whether a Host header, with or without a port, names this server. */
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

/** The name or address in a Host header, as browsers write it; null: it is none. */
function nameOf(header: string): string | null {
  if (!/^[\w.:[\]-]{1,255}$/.test(header) || !URL.canParse(`http://${header}`)) return null;
  return new URL(`http://${header}`).hostname.replace(/\.$/, '');
}

const asHost = (name: string): string => (isIP(name) === 6 ? `[${name}]` : name);

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);

/** Asked anew each time: a machine may be given another address while the server runs. */
const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));

/**
 * Whether a browser may have been led here under a name that is not ours. Without a Host header it
 * is none; and no page can make a browser send a token.
 */
export function isMisled(request: FastifyRequest, isOwnHost: IsOwnHost): boolean {
  if (request.routeOptions.config.anyHost || request.headers.authorization !== undefined) {
    return false;
  }
  return request.headers.host !== undefined && !isOwnHost(request.host);
}

export const unknownHost = (host: string): AppError =>
  fail('request.unknown_host', { host: host.slice(0, 255) });
