// Runs a real domain controller of Active Directory, Samba's, of which only LDAP listens. The port of
// ldaps is fixed, so each domain has an address of its own in 127.0.0.0/8, and root starts it.

import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'ldapts';
import { onTestFinished } from 'vitest';
import { makeCertificates } from './directory-certificates.ts';
import { freePort } from './free-port.ts';
import { asRoot } from './unix-user.ts';
import { until } from './until.ts';

/** The DN of the domain. */
export const domain = 'DC=corp,DC=example,DC=test';
export const administrator = {
  dn: `CN=Administrator,CN=Users,${domain}`,
  password: 'A-password-0f-tests',
};

export interface TestDomain {
  url: string;
  /** The certificate of its authority. */
  ca: string;
  /** Runs `samba-tool`, for example with 'group', 'add', 'ops'. */
  tool: (...args: string[]) => void;
}

/** Starts a new domain, which ends with the test. It takes ten seconds. */
export async function startDomain(): Promise<TestDomain> {
  const program = '/usr/sbin/samba';
  if (!existsSync(program)) throw new Error('No samba found. Run "npm test", or install samba.');
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-samba-'));
  // A port that is free now makes an address that no other test has.
  const port = await freePort();
  const host = `127.77.${port >> 8}.${port & 255}`;
  makeCertificates(folder, host);
  asRoot('samba-tool', provision(folder, host));
  onTestFinished(() => {
    asRoot('pkill', ['--pidfile', join(folder, 'samba.pid')]);
    asRoot('rm', ['-rf', folder]);
  });
  const config = join(folder, 'dc/etc/smb.conf');
  asRoot(program, ['-D', '-M', 'single', '-s', config, ...serve(folder)]);
  const url = `ldaps://${host}`;
  const ca = readFileSync(join(folder, 'ca.pem'), 'utf8');
  await until(() => isReady(url, ca));
  return { url, ca, tool: (...args) => asRoot('samba-tool', [...args, '-s', config]) };
}

const provision = (folder: string, host: string): string[] => [
  'domain',
  'provision',
  '--realm=CORP.EXAMPLE.TEST',
  '--domain=CORP',
  '--server-role=dc',
  `--adminpass=${administrator.password}`,
  '--dns-backend=NONE',
  '--host-name=dc1',
  `--host-ip=${host}`,
  `--targetdir=${join(folder, 'dc')}`,
  ...option(`interfaces=${host}/8`, 'bind interfaces only=yes'),
];

const serve = (folder: string): string[] =>
  option(
    'server services=ldap',
    'dcerpc endpoint servers=',
    `ncalrpc dir=${folder}/ncalrpc`,
    `pid directory=${folder}`,
    `log file=${folder}/log`,
    `tls cafile=${folder}/ca.pem`,
    `tls certfile=${folder}/server.pem`,
    `tls keyfile=${folder}/server.key`,
  );

const option = (...settings: string[]): string[] =>
  settings.map((setting) => `--option=${setting}`);

async function isReady(url: string, ca: string): Promise<boolean> {
  const client = new Client({ url, connectTimeout: 1000, tlsOptions: { ca } });
  try {
    await client.bind(administrator.dn, administrator.password);
    return true;
  } catch {
    return false;
  } finally {
    await client.unbind().catch(() => undefined);
  }
}
