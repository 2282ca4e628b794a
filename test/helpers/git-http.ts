// Starts a real git server over http or https on 127.0.0.1, with a login and a password.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { folder } from './seed.ts';

interface GitHttpOptions {
  /** The folder of the repositories. */
  root: string;
  /**
   * `login:password`; without it the server asks for none. If it begins with the colon, any login
   * is accepted.
   */
  account?: string;
  /** Serves https with a certificate of an unknown authority. */
  secure?: boolean;
  /** The name in that certificate, beside 127.0.0.1. */
  name?: string;
  /** Limits the speed at which packs are sent. */
  bytesPerSecond?: number;
  /** The contents that it has in Git LFS, of every repository. */
  largeFiles?: Buffer[];
  /** The address to which a request is redirected; null if it is answered here. */
  redirect?: (path: string, authorization: string) => string | null;
}

interface GitHttpServer {
  /** The address, with a slash at the end. */
  url: string;
  /** The certificate of a server that uses https. */
  certificate: string;
  /** The Authorization header of every request, or an empty text for a request without one. */
  authorizations: string[];
}

/** Starts the server, which ends with the test. */
export async function startGitHttp(options: GitHttpOptions): Promise<GitHttpServer> {
  const { stop, ...server } = await launchGitHttp(options);
  onTestFinished(stop);
  return server;
}

/** Starts the server, which runs until it is stopped. */
export async function launchGitHttp(
  options: GitHttpOptions,
): Promise<GitHttpServer & { stop: () => void }> {
  const authorizations: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const authorization = request.headers.authorization ?? '';
    authorizations.push(authorization);
    const target = options.redirect?.(request.url ?? '', authorization);
    if (target) response.writeHead(302, { location: target }).end();
    else if (isLetIn(options.account, authorization)) {
      if (!serveLargeFile(options, request, response)) serve(options, request, response);
    } else response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  };
  const certificate = options.secure ? await makeCertificate(options.name) : '';
  const server = options.secure
    ? createSecureServer(
        { cert: readFileSync(certificate), key: readFileSync(`${certificate}.key`) },
        listener,
      )
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `${options.secure ? 'https' : 'http'}://127.0.0.1:${port}/`;
  return { url, certificate, authorizations, stop };
}

function isLetIn(account: string | undefined, authorization: string): boolean {
  if (account === undefined) return true;
  const given = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString('utf8');
  return account.startsWith(':')
    ? /^[^:]/.test(given) && given.endsWith(account)
    : given === account;
}

/** Makes a certificate for 127.0.0.1 and a name; returns its path. The key lies beside it, with `.key`. */
export async function makeCertificate(name = 'localhost'): Promise<string> {
  const path = join(await folder(), 'certificate.pem');
  const own = `subjectAltName=IP:127.0.0.1,DNS:${name}`;
  const names = ['-subj', '/CN=127.0.0.1', '-addext', own];
  const files = ['-keyout', `${path}.key`, '-out', path];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return path;
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Text of a pointer to this content in Git LFS. */
export const pointerTo = (content: Buffer): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${hashOf(content)}\nsize ${content.length}\n`;

/** Handles a request of git-lfs for addresses or a content; false: it is another request. */
function serveLargeFile(
  options: GitHttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { url = '' } = request;
  if (url.endsWith('/info/lfs/objects/batch')) {
    void serveAddresses(options, request, response);
    return true;
  }
  const oid = /\/large\/(\w+)$/.exec(url)?.[1];
  const content = options.largeFiles?.find((one) => hashOf(one) === oid);
  if (content) response.end(content);
  return content !== undefined;
}

interface LfsRequest {
  objects: { oid: string; size: number }[];
}

async function serveAddresses(
  { largeFiles = [], secure }: GitHttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host = '', authorization } = request.headers;
  const { objects } = (await new Response(
    Readable.toWeb(request) as BodyInit,
  ).json()) as LfsRequest;
  const kept = new Set(largeFiles.map(hashOf));
  const header = authorization === undefined ? {} : { authorization };
  const answers = objects.map(({ oid, size }) =>
    kept.has(oid)
      ? {
          oid,
          size,
          actions: {
            download: { href: `${secure ? 'https' : 'http'}://${host}/large/${oid}`, header },
          },
        }
      : { oid, size, error: { code: 404, message: 'canary of the server' } },
  );
  response.setHeader('content-type', 'application/vnd.git-lfs+json');
  response.end(JSON.stringify({ transfer: 'basic', objects: answers }));
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
