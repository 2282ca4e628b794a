// The one place that decides how a connection to another server is opened: through which proxy, and how
// long that may take. Certificates are checked with the authorities that Node trusts, which
// NODE_EXTRA_CA_CERTS and SIGNALBOX_SERVER_CA_FILE add to.

import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { proxyFor, proxyVariables, shownProxy, type Proxies } from './proxies.ts';

/**
 * How long a proxy may take to open a way to a server, in milliseconds. Node ends such an attempt by the
 * time-out of its agent only, and not when the request is aborted.
 */
const MAX_TUNNEL_MS = 10_000;

export interface Connection {
  agent: HttpAgent;
  /** The proxy that is asked, without its login; null: the server is reached directly. */
  proxy: string | null;
}

/** How requests to the server of an address are sent. */
export function connectionTo(
  url: URL,
  proxies: Proxies,
  options: Pick<AgentOptions, 'keepAlive' | 'maxSockets'> = {},
): Connection {
  const Agent = url.protocol === 'https:' ? HttpsAgent : HttpAgent;
  const proxy = proxyFor(url, proxies);
  // Without `proxyEnv` an agent asks no proxy, whatever the environment of the process says.
  if (proxy === null) return { agent: new Agent(options), proxy };
  const proxyEnv = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  const agent = new Agent({ ...options, proxyEnv, timeout: MAX_TUNNEL_MS });
  return { agent, proxy: shownProxy(proxy) };
}

/**
 * Settles as the work does, or when the signal fires: Node does not end a request that waits for the
 * tunnel of a proxy.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface ProgramNetwork {
  proxies: Proxies;
  /** File of the certificates with which git checks https servers; null: those of the system. */
  gitCaFile: string | null;
}

/** The variables with which git, and the programs that call it, open their connections. */
export const networkVariables = ({
  proxies,
  gitCaFile,
}: ProgramNetwork): Record<string, string> => ({
  ...proxyVariables(proxies),
  ...(gitCaFile !== null && { GIT_SSL_CAINFO: gitCaFile }),
});
