// Checks the compose file for several servers. Tests cannot start containers, so they read the
// file, and check the settings of each server by the server's own rules.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, type Config } from '../../src/server/config/config.ts';
import { settings } from '../../src/server/config/settings.ts';
import { folder } from '../helpers/seed.ts';

interface Service {
  image: string;
  environment?: Record<string, string | number>;
  volumes?: string[];
  secrets?: string[];
  networks: string[] | Record<string, { ipv4_address?: string }>;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  ports?: string[];
  healthcheck?: object;
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

const text = await readFile('deploy/compose-cluster.yaml', 'utf8');
const compose = parse(text, { merge: true }) as Compose;
const all = Object.entries(compose.services);
const servers = all.filter(([, { image }]) => image === 'signalbox');

/** Files for the secrets, with contents that the server accepts. */
async function secretFiles(): Promise<Map<string, string>> {
  const place = await folder();
  const values = {
    database_url: 'postgres://signalbox:secret@database/signalbox\n',
    master_key: `${Buffer.alloc(32, 7).toString('base64')}\n`,
    admin_password: 'a long password\n',
  };
  const files = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    await writeFile(join(place, name), value);
    files.set(`/run/secrets/${name}`, join(place, name));
  }
  return files;
}

async function configOf({ environment = {} }: Service): Promise<Config> {
  const files = await secretFiles();
  const values = Object.entries(environment).map(([name, value]) => [
    name,
    files.get(String(value)) ?? String(value),
  ]);
  return loadConfig(Object.fromEntries(values) as Record<string, string>);
}

test('the compose file has two web servers and three runners, and the server takes its settings', async () => {
  const known = new Set(
    settings.flatMap(({ name, ...one }) => ('secret' in one ? [name, `${name}_FILE`] : [name])),
  );
  const roles: string[] = [];
  for (const [name, service] of servers) {
    const unknown = Object.keys(service.environment ?? {}).filter((key) => !known.has(key));
    expect([name, unknown]).toEqual([name, []]);
    const { role, masterKey, databaseUrl } = await configOf(service);
    roles.push(role);
    expect([typeof masterKey, databaseUrl?.startsWith('postgres:')]).toEqual(['string', true]);
  }
  expect(roles).toEqual(['web', 'web', 'runner', 'runner', 'runner']);
});

test('no two servers share a data folder, all have one master key, and what is named is there', () => {
  const folders = servers.flatMap(([, { volumes = [] }]) => volumes);
  expect(folders.every((entry) => entry.endsWith(':/data'))).toBe(true);
  expect(new Set(folders).size).toBe(servers.length);
  const keys = servers.map(([, { environment }]) => environment?.['SIGNALBOX_MASTER_KEY_FILE']);
  expect(new Set(keys)).toEqual(new Set(['/run/secrets/master_key']));
  for (const [name, { volumes = [], secrets = [], networks, environment = {} }] of all) {
    const named = volumes
      .map((entry) => entry.split(':')[0] ?? '')
      .filter((one) => !one.startsWith('.'));
    expect([name, named.filter((one) => !(one in compose.volumes))]).toEqual([name, []]);
    expect([name, secrets.filter((one) => !(one in compose.secrets))]).toEqual([name, []]);
    const joined = Array.isArray(networks) ? networks : Object.keys(networks);
    expect([name, joined.filter((one) => !(one in compose.networks))]).toEqual([name, []]);
    const read = Object.values(environment)
      .map(String)
      .filter((value) => value.startsWith('/run/secrets/'));
    expect(read.filter((path) => !secrets.includes(path.slice('/run/secrets/'.length)))).toEqual(
      [],
    );
  }
});

test('no secret stands in the compose file, and servers have no right that they do not need', () => {
  expect(text).not.toMatch(/PASSWORD: |MASTER_KEY: |:\/\/\w+:\w+@/);
  expect(Object.values(compose.secrets).every(({ file }) => file.startsWith('./secrets/'))).toBe(
    true,
  );
  for (const [name, service] of servers) {
    expect([name, service.cap_drop, service.security_opt]).toEqual([
      name,
      ['ALL'],
      ['no-new-privileges:true'],
    ]);
    expect(service.cap_add?.toSorted()).toEqual(
      ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETPCAP', 'SETUID'].toSorted(),
    );
    expect(service.stop_grace_period).toBe('30s');
    // The servers are reached from outside only through the proxy.
    expect(service.ports).toBeUndefined();
  }
  expect(compose.services['database']?.ports).toBeUndefined();
});

test('the proxy knows the addresses of the web servers, and they trust its own only', async () => {
  const addressOf = (name: string): string => {
    const { networks } = compose.services[name] ?? { networks: [] };
    return Array.isArray(networks) ? '' : (networks['front']?.ipv4_address ?? '');
  };
  const proxy = await readFile('deploy/nginx.conf', 'utf8');
  const asked = [...proxy.matchAll(/^\s+server (\S+):3000 /gm)].map(([, address]) => address);
  expect(asked).toEqual([addressOf('web1'), addressOf('web2')]);
  for (const [name, service] of servers.filter(([one]) => one.startsWith('web'))) {
    const { trustedProxies } = await configOf(service);
    expect([name, trustedProxies]).toEqual([name, [addressOf('proxy')]]);
  }
});
