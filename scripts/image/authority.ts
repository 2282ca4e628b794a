// A certificate authority of this test, and an HTTPS server with its certificate, for git, Node and
// Python.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

/** Makes the authority and a certificate for 127.0.0.1 in a folder. */
export function makeAuthority(place: string): void {
  const run = (...args: string[]): void =>
    void execFileSync('openssl', args, { cwd: place, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const authority = ['-subj', '/CN=Authority of a test', '-keyout', 'ca.key', '-out', 'ca.crt'];
  // From version 3.13 on, Python trusts only authorities with a key usage.
  run('req', '-x509', ...key, ...authority, '-addext', 'keyUsage=critical,keyCertSign');
  const request = ['-subj', '/CN=test', '-keyout', 'tls.key', '-out', 'tls.csr'];
  run('req', ...key.slice(0, 4), '-nodes', ...request);
  writeFileSync(
    join(place, 'names'),
    'subjectAltName=IP:127.0.0.1\nauthorityKeyIdentifier=keyid\n',
  );
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
  run('x509', '-req', '-in', 'tls.csr', ...signed, '-extfile', 'names', '-out', 'tls.crt');
}

/** Makes a repository, `work` in the folder, and serves it over https; returns its address. */
export async function serveRepository(place: string): Promise<{ url: string; close: () => void }> {
  const [work, bare] = [join(place, 'work'), join(place, 'served/code.git')];
  mkdirSync(work);
  const git = (cwd: string, ...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      stdio: 'pipe',
    });
  git(work, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(work, 'hello.sh'), 'echo "hello from $(id -un)"\n');
  writeFileSync(join(work, 'wait.sh'), 'echo waiting\nsleep 300\n');
  git(work, 'add', '.');
  git(work, 'commit', '--quiet', '-m', 'One');
  git(place, 'clone', '--quiet', '--bare', work, bare);
  git(bare, 'update-server-info');
  const options = {
    key: readFileSync(join(place, 'tls.key')),
    cert: readFileSync(join(place, 'tls.crt')),
  };
  const server = createServer(options, (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'https://127.0.0.1').pathname);
    try {
      response.end(readFileSync(join(place, 'served', path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, close: () => void server.close() };
}
