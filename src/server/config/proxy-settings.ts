import { ConfigError } from '../../node/config-error.ts';
import { noProxies, type Proxies } from '../../node/net/proxies.ts';

/** A proxy would resolve these names to itself. */
const ownMachine = 'localhost,127.0.0.1,::1';

/** As in curl, lower case takes precedence. Throws a `ConfigError` for an invalid value. */
export function readProxies(environment: NodeJS.ProcessEnv): Proxies {
  const read = (name: string): string =>
    (environment[name.toLowerCase()] || environment[name] || '').trim();
  const [http, https] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => {
    const used = read(name) === '' ? 'ALL_PROXY' : name;
    return readAddress(used, read(used));
  });
  if (!http && !https) return noProxies;
  const bypass = [read('NO_PROXY'), ownMachine].filter(Boolean).join(',');
  return { http: http ?? null, https: https ?? null, bypass };
}

function readAddress(name: string, value: string): string | null {
  if (value === '') return null;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (isProxyAddress(address)) return address;
  throw new ConfigError(
    `${name} holds a value that is hidden here, but must hold the address of an HTTP proxy, such as http://login:password@proxy.example.com:3128. SOCKS proxies cannot be used. Correct it, or remove it from the environment of the service.`,
  );
}

function isProxyAddress(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return false;
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}
