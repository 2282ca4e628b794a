// Runs nginx with the configuration of deploy/nginx.conf, on free ports of 127.0.0.1, before web
// servers of a test.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { folder } from './seed.ts';
import { until } from './until.ts';

/** Changes only ports, addresses and paths. */
async function configFor(place: string, ports: Record<80 | 443, number>, servers: string[]) {
  const shipped = await readFile('deploy/nginx.conf', 'utf8');
  const [first = '', second = ''] = servers.map((address) => new URL(address).host);
  const own = shipped
    .replace('listen 80;', `listen 127.0.0.1:${ports[80]};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${ports[443]} ssl;`)
    .replaceAll('/run/secrets/', `${place}/`)
    .replace('172.31.250.11:3000', first)
    .replace('172.31.250.12:3000', second)
    .replace(
      'http {',
      `http {\n  ${temporary.map((name) => `${name}_temp_path ${place}/${name};`).join(' ')}`,
    );
  // Workers with another user could not read the folder of the test.
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  return `${user}daemon off; pid ${place}/pid; error_log ${place}/error.log;\n${own}`;
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts nginx, which ends with the test; returns its address. */
export async function startNginx(servers: string[]): Promise<{ address: string; plain: string }> {
  const place = await folder();
  const ports = { 80: await freePort(), 443: await freePort() };
  for (const name of temporary) await mkdir(join(place, name));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', join(place, 'tls_key'), '-out', join(place, 'tls_certificate')];
  const names = ['-subj', '/CN=proxy', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...key, ...files, ...names], { stdio: 'ignore' });
  const own = await readFile(join(place, 'tls_certificate'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), own]);
  const config = join(place, 'nginx.conf');
  await writeFile(config, await configFor(place, ports, servers));
  // The folder of nginx is often not on the path of a user.
  const program = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx';
  const child = spawn(program, ['-c', config, '-e', join(place, 'error.log')], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const plain = `http://127.0.0.1:${ports[80]}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await readFile(join(place, 'error.log'), 'utf8'));
    return fetch(plain, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  });
  return { address: `https://127.0.0.1:${ports[443]}`, plain };
}
