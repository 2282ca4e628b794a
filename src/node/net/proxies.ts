// The forward proxies of outgoing HTTP connections, as the environment of the service names them. Every
// request that leaves the product, and every program that fetches something for it, goes by these.

import { isBypassed } from './no-proxy.ts';

export interface Proxies {
  /** The proxy of http addresses with its login, as a URL; null: they are reached directly. */
  http: string | null;
  /** That of https addresses. */
  https: string | null;
  /** The hosts that are reached without a proxy, as the variable NO_PROXY lists them. */
  bypass: string;
}

export const noProxies: Proxies = { http: null, https: null, bypass: '' };

/** The proxy through which an address is reached; null: it is reached directly. */
export function proxyFor(url: URL, proxies: Proxies): string | null {
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http;
  return proxy === null || isBypassed(url, proxies.bypass) ? null : proxy;
}

/** The variables for programs, in both spellings, since each program reads others. */
export function proxyVariables({ http, https, bypass }: Proxies): Record<string, string> {
  const values = { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: bypass || null };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null ? [] : [name, name.toLowerCase()].map((one) => [one, value]),
    ),
  );
}

/** The address of a proxy without its login, for people. */
export function shownProxy(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
}

/** What the text of a variable holds of logins in addresses: passwords, and names that stand alone. */
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

/** The secrets of all proxies, which logs hide. */
export const proxySecrets = ({ http, https }: Proxies): string[] =>
  [http, https].flatMap((address) => secretsInAddresses(address ?? ''));

/** What a server says of its proxies when it starts, without their logins; null: it has none. */
export function proxyWords({ http, https, bypass }: Proxies): string | null {
  const shown = Object.entries({ http, https }).flatMap(([kind, address]) =>
    address === null ? [] : [`${kind} through ${shownProxy(address)}`],
  );
  return shown.length === 0 ? null : `Proxy: ${shown.join(', ')}; directly: ${bypass}`;
}
