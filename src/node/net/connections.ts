// Decides how connections to other servers are opened: through which proxy, and with which timeout. Certificates are
// verified with the authorities that Node trusts, extended by NODE_EXTRA_CA_CERTS and SIGNALBOX_SERVER_CA_FILE.

import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { proxyFor, proxyVariables, shownProxy, type Proxies } from './proxies.ts';

/** The timeout of a proxy's CONNECT. Node aborts it only by the timeout of the agent, not with the request. */
const MAX_TUNNEL_MS = 10_000;

export interface Connection {
  agent: HttpAgent;
  /** The address of the proxy without its login; null: a direct connection. */
  proxy: string | null;
}

export function connectionTo(
  url: URL,
  proxies: Proxies,
  options: Pick<AgentOptions, 'keepAlive' | 'maxSockets'> = {},
): Connection {
  const Agent = url.protocol === 'https:' ? HttpsAgent : HttpAgent;
  const proxy = proxyFor(url, proxies);
  // Without `proxyEnv` an agent uses no proxy, whatever the environment of the process is.
  if (proxy === null) return { agent: new Agent(options), proxy };
  const proxyEnv = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  const agent = new Agent({ ...options, proxyEnv, timeout: MAX_TUNNEL_MS });
  return { agent, proxy: shownProxy(proxy) };
}

/** Settles with the work, or when the signal fires: Node does not abort a request that waits for a proxy's tunnel. */
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
  /** The CA certificates with which git verifies https servers; null: those of the system. */
  gitCaFile: string | null;
}

/** The variables by which git, and programs that call it, open their connections. */
export const networkVariables = ({
  proxies,
  gitCaFile,
}: ProgramNetwork): Record<string, string> => ({
  ...proxyVariables(proxies),
  ...(gitCaFile !== null && { GIT_SSL_CAINFO: gitCaFile }),
});
