// Runs a real LDAP directory on 127.0.0.1, with a certificate of an authority of its own.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'ldapts';
import { onTestFinished } from 'vitest';
import { makeCertificates } from './directory-certificates.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface TestDirectory {
  url: string;
  /** The address without encryption, for StartTLS. */
  plainUrl: string;
  /** The certificate of its authority. */
  ca: string;
  /** The certificate of an unrelated authority. */
  otherCa: string;
  /** Stops answering, as a machine does that is down. */
  stop: () => Promise<void>;
}

export const suffix = 'dc=example,dc=test';
export const reader = { dn: `cn=admin,${suffix}`, password: 'the password of the reader' };
export const adaPassword = 'analytical engine';

function configOf(folder: string, limits: string): string {
  const schemas = ['core', 'cosine', 'inetorgperson'];
  return [
    ...schemas.map((name) => `include /etc/ldap/schema/${name}.schema`),
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'moduleload memberof',
    `pidfile ${folder}/slapd.pid`,
    `TLSCACertificateFile ${folder}/ca.pem`,
    `TLSCertificateFile ${folder}/server.pem`,
    `TLSCertificateKeyFile ${folder}/server.key`,
    ...(limits === '' ? [] : [`sizelimit ${limits}`]),
    'database mdb',
    `suffix "${suffix}"`,
    `rootdn "${reader.dn}"`,
    `rootpw "${reader.password}"`,
    `directory ${folder}/data`,
    'overlay memberof',
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by users read by * none',
    '',
  ].join('\n');
}

/** Starts the directory, which ends with the test. `limits` are those of its answers, as in slapd.conf(5). */
export async function startDirectory({ limits = '' } = {}): Promise<TestDirectory> {
  const program = '/usr/sbin/slapd';
  if (!existsSync(program)) throw new Error('No slapd found. Run "npm test", or install slapd.');
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-slapd-'));
  await mkdir(join(folder, 'data'));
  makeCertificates(folder);
  const config = join(folder, 'slapd.conf');
  await writeFile(config, configOf(folder, limits));
  const plainUrl = `ldap://127.0.0.1:${await freePort()}`;
  const url = `ldaps://127.0.0.1:${await freePort()}`;
  const args = ['-d', '0', '-f', config, '-h', `${plainUrl} ${url}`];
  const server = spawn(program, args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
  };
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  await until(() => fill(plainUrl));
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { url, plainUrl, ca: read('ca.pem'), otherCa: read('other.pem'), stop };
}

const person = (uid: string, change: Record<string, string> = {}) => ({
  objectClass: ['inetOrgPerson'],
  uid,
  cn: uid,
  sn: uid,
  mail: `${uid}@example.com`,
  userPassword: adaPassword,
  ...change,
});

/** Adds people and groups; false if the directory does not answer yet. */
async function fill(url: string): Promise<boolean> {
  const client = new Client({ url, connectTimeout: 1000 });
  try {
    await client.bind(reader.dn, reader.password);
    await client.add(suffix, {
      objectClass: ['organization', 'dcObject'],
      o: 'Example',
      dc: 'example',
    });
    for (const ou of ['people', 'groups']) {
      await client.add(`ou=${ou},${suffix}`, { objectClass: ['organizationalUnit'], ou });
    }
    const at = `ou=people,${suffix}`;
    await client.add(`uid=ada,${at}`, person('ada', { cn: 'Ada Lovelace' }));
    await client.add(`uid=bob,${at}`, person('bob'));
    await client.add(`uid=root,${at}`, person('root'));
    // Two entries with the same address.
    await client.add(`uid=twin1,${at}`, person('twin1', { mail: 'twins@example.com' }));
    await client.add(`uid=twin2,${at}`, person('twin2', { mail: 'twins@example.com' }));
    // These characters have a meaning in a DN and in a filter.
    await client.add(`cn=Odd \\28one\\29\\2C *,${at}`, person('odd', { cn: 'Odd (one), *' }));
    await client.add(`cn=ops,ou=groups,${suffix}`, {
      objectClass: ['groupOfNames'],
      cn: 'ops',
      member: [`uid=ada,${at}`, `cn=Odd \\28one\\29\\2C *,${at}`],
    });
    await client.add(`ou=elsewhere,${suffix}`, {
      objectClass: ['referral', 'extensibleObject'],
      ou: 'elsewhere',
      ref: 'ldap://directory.example.test/ou=elsewhere,dc=example,dc=test',
    });
    return true;
  } catch (error) {
    if (/ECONNREFUSED/.test(String(error) + JSON.stringify(error))) return false;
    throw error;
  } finally {
    await client.unbind().catch(() => undefined);
  }
}
