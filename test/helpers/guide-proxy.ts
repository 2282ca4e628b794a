// Runs the reverse proxies with the configurations of the guide, on free ports of 127.0.0.1.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { blocks } from '../guide/blocks.ts';
import { freePort } from './free-port.ts';
import { makeCertificate } from './git-http.ts';
import { folder } from './seed.ts';
import { until } from './until.ts';

export const reverseProxies = ['nginx', 'haproxy', 'apache2'] as const;
type ReverseProxy = (typeof reverseProxies)[number];

/** A word that only the block of each of them has. */
const words: Record<ReverseProxy, string> = {
  nginx: 'proxy_pass',
  haproxy: 'httpchk',
  apache2: 'ProxyPass',
};

interface ProxyOptions {
  /** A folder of the test. */
  place: string;
  port: number;
  /** Host and port of the server. */
  server: string;
}

/** The block of the guide with the addresses and paths of the test. */
function configOf(kind: ReverseProxy, { place, port, server }: ProxyOptions): string {
  const block = blocks.find(
    ({ page, text }) => page === 'behind-a-proxy.md' && text.includes(words[kind]),
  );
  return (block?.text ?? '')
    .replaceAll('/etc/ssl/signalbox/', `${place}/`)
    .replace('127.0.0.1:3000', server)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('*:443', `127.0.0.1:${port}`);
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** What the system's own configuration says elsewhere, and how the program is started. */
const around: Record<
  ReverseProxy,
  (config: string, at: ProxyOptions) => [text: string, args: string[]]
> = {
  nginx(config, { place }) {
    const paths = temporary.map((name) => `${name}_temp_path ${place}/${name};`).join('\n');
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const main = `${user}\ndaemon off;\npid ${place}/pid;\nerror_log ${place}/error.log;\nevents {}`;
    const http = `http {\naccess_log off;\n${paths}\n${config}\n}\n`;
    return [`${main}\n${http}`, ['-e', join(place, 'error.log'), '-c']];
  },
  haproxy: (config) => [config, ['-db', '-f']],
  apache2(config, { place, port }) {
    const names = ['mpm_event', 'authz_core', 'ssl', 'headers', 'proxy', 'proxy_http'];
    const modules = names.map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    );
    const files = [`PidFile ${place}/pid`, `ErrorLog ${place}/error.log`, `Mutex posixsem`];
    const user = process.getuid?.() === 0 ? ['User nobody', 'Group nogroup'] : [];
    const main = [`ServerRoot ${place}`, `Listen 127.0.0.1:${port}`, ...modules, ...files, ...user];
    return [`${main.join('\n')}\n${config}`, ['-D', 'FOREGROUND', '-f']];
  },
};

/** Starts a proxy before a server; returns its https address. It ends with the test. */
export async function startGuideProxy(kind: ReverseProxy, server: string): Promise<string> {
  const place = await folder();
  const certificate = await makeCertificate();
  const [pem, key] = [await readFile(certificate, 'utf8'), await readFile(`${certificate}.key`)];
  await writeFile(join(place, 'certificate.pem'), pem);
  await writeFile(join(place, 'key.pem'), key);
  await writeFile(join(place, 'certificate-and-key.pem'), pem + key.toString());
  for (const name of temporary) await mkdir(join(place, name));
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, pem]);
  onTestFinished(() => setDefaultCACertificates(before));
  const at = { place, port: await freePort(), server: new URL(server).host };
  const [text, args] = around[kind](configOf(kind, at), at);
  const config = join(place, 'config');
  await writeFile(config, text);
  const usual = join('/usr/sbin', kind);
  const program = existsSync(usual) ? usual : kind;
  const child = spawn(program, [...args, config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (piece: Buffer) => (printed += piece.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const address = `https://127.0.0.1:${at.port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(printed);
    return fetch(`${address}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  return address;
}
