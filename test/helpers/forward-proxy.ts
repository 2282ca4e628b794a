// Runs an HTTP proxy on this machine, as companies have them: it resolves the names itself, writes down
// what it is asked for, and may want a login.

import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface ForwardProxyOptions {
  /** `login:password`; without it the proxy asks for none. */
  account?: string;
  /** The addresses of the names that it knows, such as `git.example:443`; others lead to themselves. */
  hosts?: Record<string, string>;
  /** Accepts connections and never answers. */
  isSilent?: boolean;
}

export interface ForwardProxy {
  /** The address with the login, for HTTPS_PROXY. */
  url: string;
  /** The address without it. */
  shown: string;
  /** The requests: `CONNECT host:port`, or method and address. Refused ones have `407` before it. */
  seen: string[];
}

/** Starts the proxy, which ends with the test. */
export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const { account, hosts = {}, isSilent = false } = options;
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const targetOf = (authority: string): [host: string, port: number] => {
    const { hostname, port } = new URL(`http://${hosts[authority] ?? authority}`);
    return [hostname.replace(/^\[|\]$/g, ''), Number(port || 80)];
  };
  const isLetIn = ({ headers }: IncomingMessage): boolean =>
    account === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(account).toString('base64')}`;
  const note = (asked: IncomingMessage): boolean => {
    const isIn = isLetIn(asked);
    seen.push(`${isIn ? '' : '407 '}${asked.method} ${asked.url}`);
    return isIn;
  };
  const server = createServer((asked, answer) => {
    if (!note(asked)) {
      answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
      return;
    }
    const url = new URL(asked.url ?? '');
    const [host, port] = targetOf(url.host);
    const { 'proxy-authorization': _login, 'proxy-connection': _how, ...headers } = asked.headers;
    const path = url.pathname + url.search;
    const onward = httpRequest({ host, port, path, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    onward.on('error', () => answer.writeHead(502).end());
    asked.pipe(onward);
  });
  server.on('connect', (asked, socket: Socket) => {
    socket.on('error', () => undefined);
    if (!note(asked)) {
      const wants = 'Proxy-Authenticate: Basic realm="proxy"';
      const rest = 'Content-Length: 0\r\nConnection: close\r\n\r\n';
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${wants}\r\n${rest}`);
      return;
    }
    if (isSilent) return;
    const [host, port] = targetOf(asked.url ?? '');
    const onward = connect({ host, port }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const login =
    account === undefined ? '' : `${account.split(':').map(encodeURIComponent).join(':')}@`;
  return { url: `http://${login}127.0.0.1:${port}`, shown: `http://127.0.0.1:${port}`, seen };
}
