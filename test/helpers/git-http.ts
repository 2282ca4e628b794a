// A real git server over http or https on 127.0.0.1, with a login and a password.

import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { folder } from './seed.ts';

interface GitHttpOptions {
  /** Folder of the repositories. */
  root: string;
  /** `login:password`, or none is asked for. Any login will do when it begins with the colon. */
  account?: string;
  /** Serve https with a certificate that nobody knows. */
  secure?: boolean;
  /** Send packs no faster than this. */
  bytesPerSecond?: number;
  /** Where a request is sent on to; null: it is answered here. */
  redirect?: (path: string, authorization: string) => string | null;
}

interface GitHttpServer {
  /** With a slash at the end. */
  url: string;
  /** The certificate; only of a secure server. */
  certificate: string;
  /** Every Authorization header that came, or an empty text where none did. */
  authorizations: string[];
}

/** Ends with the test. */
export async function startGitHttp(options: GitHttpOptions): Promise<GitHttpServer> {
  const authorizations: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const authorization = request.headers.authorization ?? '';
    authorizations.push(authorization);
    const target = options.redirect?.(request.url ?? '', authorization);
    if (target) response.writeHead(302, { location: target }).end();
    else if (isLetIn(options.account, authorization)) serve(options, request, response);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  };
  const certificate = options.secure ? await makeCertificate() : '';
  const server = options.secure
    ? createSecureServer(
        { cert: readFileSync(certificate), key: readFileSync(`${certificate}.key`) },
        listener,
      )
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `${options.secure ? 'https' : 'http'}://127.0.0.1:${port}/`;
  return { url, certificate, authorizations };
}

function isLetIn(account: string | undefined, authorization: string): boolean {
  if (account === undefined) return true;
  const given = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString('utf8');
  return account.startsWith(':')
    ? /^[^:]/.test(given) && given.endsWith(account)
    : given === account;
}

async function makeCertificate(): Promise<string> {
  const path = join(await folder(), 'certificate.pem');
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', `${path}.key`, '-out', path];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return path;
}

/** Lets git answer, as a web server does. */
function serve(
  { root, bytesPerSecond }: GitHttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => undefined);
  request.pipe(backend.stdin);
  void answer(backend.stdout, response, bytesPerSecond);
}

async function answer(
  output: AsyncIterable<Buffer>,
  response: ServerResponse,
  bytesPerSecond = Infinity,
): Promise<void> {
  let head = Buffer.alloc(0);
  for await (const piece of output) {
    if (response.headersSent) {
      await delay((piece.length / bytesPerSecond) * 1000);
      response.write(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) continue;
    const lines = head.subarray(0, end).toString().split('\r\n');
    const headers = lines.map((line) => line.split(': ') as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers));
    response.write(head.subarray(end + 4));
  }
  response.end();
}
