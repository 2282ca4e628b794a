// Only on PostgreSQL: the database and the data folder are on different disks, one of which is
// full.

import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { projects } from '#shared/api/projects.ts';
import { system } from '#shared/api/system.ts';
import type { Caller } from './helpers/app.ts';
import { scriptProject } from './helpers/cluster.ts';
import { freshPostgres } from './helpers/postgres.ts';
import { randomNumber, runSeed } from './helpers/random.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { folder, seedProject } from './helpers/seed.ts';
import { startServer } from './helpers/server.ts';
import { fill, smallDisk } from './helpers/small-disk.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

/** Makes a database on a disk of its own; returns the address and the disk. */
async function databaseOnSmallDisk(): Promise<{ url: string; disk: string }> {
  const { url, drop } = await freshPostgres();
  const name = new URL(url).pathname.slice(1);
  const asked = new URL(url);
  asked.pathname = '/postgres';
  const client = new Client({ connectionString: asked.href });
  await client.connect();
  const { rows } = await client.query<{ folder: string }>(
    "select current_setting('data_directory') as folder",
  );
  const disk = await smallDisk(48, statSync(rows[0]?.folder ?? '').uid);
  const space = `space_${name}`;
  await client.query(`create tablespace ${space} location '${disk}'`);
  await client.query(`alter database ${name} set tablespace ${space}`);
  onTestFinished(async () => {
    await drop();
    await client.query(`drop tablespace ${space}`);
    await client.end();
  });
  return { url, disk };
}

const next = randomNumber(runSeed);
/** Random letters and digits, which cannot be compressed. */
const randomText = (length: number): string =>
  Array.from({ length: length / 8 }, () => next().toString(36).slice(2, 10).padEnd(8, '0')).join(
    '',
  );

/** Writes rows that need much space. */
async function writer(admin: Caller) {
  const { projectId, keyId } = await seedProject(admin, null);
  return (count: number) =>
    admin.ask(inventories.create, {
      params: { project_id: projectId },
      body: {
        name: `Hosts ${count}`,
        type: 'static',
        inventory: randomText(200_000),
        ssh_key_id: keyId,
      },
    });
}

test('a full database is reported by writes and by the health, and everything works again when there is room', async () => {
  const { url, disk } = await databaseOnSmallDisk();
  const server = await startServer({ env: { SIGNALBOX_DATABASE_URL: url } });
  onTestFinished(() => server.stop());
  const admin = await remoteCaller(server.address, 'admin', server.password);
  const write = await writer(admin);
  expect((await write(0)).status).toBe(201);
  const empty = await fill(disk);
  let count = 0;
  const refused = await until(async () => {
    const answer = await write((count += 1));
    return answer.status !== 201 && answer;
  });
  expect(refused).toMatchObject({ status: 507, body: { code: 'system.database_full' } });
  const unready = await until(async () => {
    const answer = await admin.ask(system.health, {});
    return answer.status === 503 && answer;
  });
  expect(unready.body).toMatchObject({ params: { database: 'full', disk: 'ok' } });
  expect((await admin.ask(projects.list, {})).status).toBe(200);
  await empty();
  expect(await until(async () => (await admin.ask(system.health, {})).status === 200)).toBe(true);
  expect((await write(count + 1)).status).toBe(201);
  expect(server.printedErrors()).toContain('the database has no room');
  expect(server.printedErrors()).not.toMatch(/"stack"/);
}, 180_000);

test('a task that prints while the disk of the data folder is full goes on, and its log says that lines may be missing', async () => {
  const dataDir = await smallDisk(16);
  const env = { SIGNALBOX_LOCAL_REPOSITORIES: '/', SIGNALBOX_LEAST_DISK_BYTES: '0' };
  const server = await startServer({ dataDir, env });
  onTestFinished(async () => {
    await server.end('SIGTERM');
  });
  const admin = await remoteCaller(server.address, 'admin', server.password);
  const gates = await folder();
  const script = `echo begun
until [ -e ${gates}/full ]; do sleep 0.05; done
seq 2000
touch ${gates}/printed
until [ -e ${gates}/empty ]; do sleep 0.05; done
exit 0
`;
  const seed = await scriptProject(admin, script);
  const template = await seed.template({});
  const task = await launch(admin, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(admin, task)).endsWith('\nbegun'));
  const empty = await fill(dataDir);
  await writeFile(join(gates, 'full'), '');
  await until(() => existsSync(join(gates, 'printed')));
  await until(async () => (await admin.ask(system.health, {})).status === 503);
  await writeFile(join(gates, 'empty'), '');
  const ended = await untilFinished(admin, task, 60);
  await empty();
  expect(ended.status).toBe('success');
  const log = await logText(admin, task);
  expect(log).toMatch(/^The disk of the server was full from \S+Z to \S+Z: lines .* missing\.$/m);
  expect(log).not.toMatch(/^2000$/m);
}, 180_000);
