// Checks the compose files: against the schema of Compose, and those for one machine by the server's
// own rules. deploy-cluster.test.ts has the rest of the file for several servers. So docker.md of the
// guide says it.

import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/server/config/config.ts';
import { checkCompose, settingNames } from '../helpers/manifests.ts';
import { folder } from '../helpers/seed.ts';

interface Service {
  image: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  networks: string[];
  ports?: string[];
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { ipam?: { config: { gateway?: string }[] } }>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

const paths = globSync('deploy/compose*.yaml').toSorted();
const read = (path: string): Promise<string> => readFile(path, 'utf8');
const alone = parse(await read('deploy/compose.yaml')) as Compose;
const addition = parse(await read('deploy/compose-postgres.yaml')) as Compose;

/** Both files as Compose merges them: lists are joined. */
const together: Compose = {
  services: {
    ...addition.services,
    server: {
      image: alone.services['server']?.image ?? '',
      environment: {
        ...alone.services['server']?.environment,
        ...addition.services['server']?.environment,
      },
      ...Object.fromEntries(
        (['secrets', 'networks', 'volumes', 'ports'] as const).map((list) => [
          list,
          [alone, addition].flatMap(({ services }) => services['server']?.[list] ?? []),
        ]),
      ),
    } as Service,
  },
  networks: { ...alone.networks, ...addition.networks },
  volumes: { ...alone.volumes, ...addition.volumes },
  secrets: { ...alone.secrets, ...addition.secrets },
};

test.each(paths)('%s is what Compose expects', async (path) => {
  expect(checkCompose(await read(path))).toEqual([]);
});

describe('the check finds', () => {
  test.each([
    ['healthcheck:', 'healtcheck:'],
    ['stop_grace_period: 30s', 'stop_grace: 30s'],
    ['cap_drop: [ALL]', 'cap_drop: ALL'],
  ])('%s written as %s', async (from, to) => {
    const text = await read('deploy/compose.yaml');
    expect(text).toContain(from);
    expect(checkCompose(text.replace(from, to))).not.toEqual([]);
  });
});

describe.each([
  ['SQLite', alone],
  ['PostgreSQL', together],
])('with %s', (_name, { services, networks, volumes, secrets }) => {
  test('what is named is there', () => {
    for (const service of Object.values(services)) {
      const named = (service.volumes ?? []).map((entry) => entry.split(':')[0] ?? '');
      expect(named.filter((one) => !(one in volumes))).toEqual([]);
      expect((service.secrets ?? []).filter((one) => !(one in secrets))).toEqual([]);
      expect(service.networks.filter((one) => !(one in networks))).toEqual([]);
      const files = Object.values(service.environment ?? {}).filter((value) =>
        value.startsWith('/'),
      );
      expect(files).toEqual(
        files.filter((path) => service.secrets?.includes(path.slice('/run/secrets/'.length))),
      );
    }
  });

  test('the server takes its settings, is reached from this machine only, and trusts its proxy', async () => {
    const place = await folder();
    const values = {
      master_key: Buffer.alloc(32, 7).toString('base64'),
      admin_password: 'a long password',
      database_url: 'postgres://signalbox:secret@database/signalbox',
    };
    for (const [name, value] of Object.entries(values)) await writeFile(join(place, name), value);
    const { environment = {}, ports } = services['server'] ?? { image: '', networks: [] };
    expect(Object.keys(environment).filter((name) => !settingNames.has(name))).toEqual([]);
    const inPlace = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace('/run/secrets', place),
    ]);
    const { trustedProxies } = loadConfig(Object.fromEntries(inPlace) as Record<string, string>);
    expect(trustedProxies).toEqual([networks['front']?.ipam?.config[0]?.gateway]);
    expect(ports).toEqual(['127.0.0.1:3000:3000']);
  });

  test('no secret stands in the file, and the database has no port', () => {
    expect(Object.values(secrets).every(({ file }) => file.startsWith('./secrets/'))).toBe(true);
    expect(services['database']?.ports).toBeUndefined();
  });
});
