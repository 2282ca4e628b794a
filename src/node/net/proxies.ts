// The forward proxies of outgoing HTTP connections, from the environment of the service, for all requests of the product
// and all programs that download something for it.

import { isBypassed } from './no-proxy.ts';

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
