// The forward proxies of outgoing HTTP connections, from the environment of the service, for all requests of the product
// and all programs that download something for it.

import { BlockList, isIP } from 'node:net';

export interface Proxies {
  /** The URL of the proxy for http addresses, with its login; null: direct connections. */
  http: string | null;
  https: string | null;
  /** The value of NO_PROXY. */
  bypass: string;
}

export const noProxies: Proxies = { http: null, https: null, bypass: '' };

/** Null: a direct connection. */
export function proxyFor(url: URL, proxies: Proxies): string | null {
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http;
  return proxy === null || isBypassed(url, proxies.bypass) ? null : proxy;
}

/** The variables for programs, in upper and lower case, since programs differ. */
export function proxyVariables({ http, https, bypass }: Proxies): Record<string, string> {
  const values = { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: bypass || null };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null ? [] : [name, name.toLowerCase()].map((one) => [one, value]),
    ),
  );
}

/** The address of a proxy without its login. */
export function shownProxy(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
}

/** The secrets of logins in addresses: passwords, and names without a password. */
export function secretsInAddresses(text: string): string[] {
  const logins = [...text.matchAll(/:\/\/([^\s/?#@:]*)(?::([^\s/?#]*))?@/g)];
  return logins
    .flatMap(([, name = '', password = '']) => [password || name].flatMap(bothForms))
    .filter(Boolean);
}

function bothForms(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}

/** The secrets of all proxies, which logs mask. */
export const proxySecrets = ({ http, https }: Proxies): string[] =>
  [http, https].flatMap((address) => secretsInAddresses(address ?? ''));

/** The log line about the proxies without their logins; null: none. */
export function proxyWords({ http, https, bypass }: Proxies): string | null {
  const shown = Object.entries({ http, https }).flatMap(([kind, address]) =>
    address === null ? [] : [`${kind} through ${shownProxy(address)}`],
  );
  return shown.length === 0 ? null : `Proxy: ${shown.join(', ')}; directly: ${bypass}`;
}

// Decides which hosts are reached without a proxy. The list has the same meaning as for curl, so that git and the server
// behave alike: a name includes its subdomains, and networks may have a prefix length.

const usualPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `list`: names, addresses and networks, separated by commas or spaces; `*` is all hosts. */
export function isBypassed(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = url.port || (usualPorts[url.protocol] ?? '');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name, wanted } = splitPort(entry);
  if (wanted !== null && wanted !== port) return false;
  if (isIP(host) > 0) return matchesAddress(name, host);
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** An IPv6 address has colons, so its port needs brackets. */
function splitPort(entry: string): { name: string; wanted: string | null } {
  const [, inBrackets, name = inBrackets ?? entry, wanted = null] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return { name, wanted };
}

function matchesAddress(name: string, host: string): boolean {
  const [base = '', prefix] = name.split('/');
  if (isIP(base) === 0) return false;
  const list = new BlockList();
  const bits = prefix === undefined ? null : Number(prefix);
  if (bits === null) list.addAddress(base, familyOf(base));
  else if (Number.isInteger(bits) && bits >= 0 && bits <= (isIP(base) === 6 ? 128 : 32)) {
    list.addSubnet(base, bits, familyOf(base));
  }
  return list.check(host, familyOf(host));
}
