// Slow: it starts the present server on what each recorded version has left, and runs tasks there.
// The way back is that of the guide page upgrade.md, block by block.

import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { blocks } from './guide/blocks.ts';
import { type ApiCall, connectApi } from './helpers/api-client.ts';
import { ownEngine } from './helpers/app.ts';
import { runCommand } from './helpers/command.ts';
import { countNouns, readTasks } from './helpers/recorded/counts.ts';
import { proof, runTask, runWorkflow, secrets, vaultProof } from './helpers/recorded/fill.ts';
import { recordingNames } from './helpers/recorded/fixture.ts';
import { contentOf, place, type Placed } from './helpers/recorded/place.ts';
import { folder } from './helpers/seed.ts';
import { startServer, type TestServer } from './helpers/server.ts';
import { until } from './helpers/until.ts';

const newest = Object.keys(migrations).at(-1);
const run = promisify(execFile);

test('there are recordings', () => {
  expect(recordingNames().length).toBeGreaterThan(2);
});

interface Installation {
  placed: Placed;
  before: Record<string, string>;
  server: TestServer;
  call: ApiCall;
}

const installed = new Map<string, Installation>();

async function install(name: string): Promise<void> {
  const placed = await place(name);
  const before = await contentOf(placed.database);
  const server = await startServer({ env: placed.env, dataDir: placed.dataDir });
  const { password } = placed.recorded;
  const call = await connectApi({ address: server.address, password });
  installed.set(name, { placed, before, server, call });
}

/** An installation and what its tests ask it. */
function installation(name: string) {
  const found = installed.get(name);
  if (!found) throw new Error(`The installation of ${name} has not started.`);
  const { placed, call } = found;
  const path = (rest: string): string => `/api/project/${placed.recorded.project}/${rest}`;
  const idOf = (what: string): number => placed.recorded.ids[what] ?? 0;
  return {
    ...found,
    path,
    idOf,
    copies: (): Promise<string[]> => readdir(join(placed.dataDir, 'upgrades')).catch(() => []),
    untilStartedBy: (by: 'schedule_id' | 'integration_id') =>
      until(
        async () => (await call<Task[]>('GET', path('tasks'))).some((task) => task[by] !== null),
        120,
      ),
    activate: (active: boolean) =>
      call('PUT', path(`schedules/${idOf('schedule')}/active`), { active }),
  };
}

describe.each(recordingNames())('an installation of %s', (name) => {
  beforeAll(() => install(name), 300_000);

  test('is ready, and has a private copy from before if its tables have changed', async () => {
    const { server, placed, copies } = installation(name);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    const found = await copies();
    expect(found).toHaveLength(placed.recorded.form === newest ? 0 : 1);
    for (const file of found) {
      expect(file.startsWith(`${placed.recorded.form}-`)).toBe(true);
      const { mode, size } = await stat(join(placed.dataDir, 'upgrades', file));
      expect([mode & 0o777, size > 50_000]).toEqual([0o600, true]);
    }
  });

  test('has everything that it had', async () => {
    const { placed, call } = installation(name);
    const { project, demo, counts } = placed.recorded;
    expect(await countNouns(call, [project, demo])).toMatchObject(counts);
  });

  test('lets people and programs in with what they had', async () => {
    const { placed, server } = installation(name);
    const { address } = server;
    const body = JSON.stringify({ auth: 'carla', password: secrets.member });
    const headers = { 'content-type': 'application/json' };
    const signIn = { method: 'POST', headers, body };
    expect((await fetch(`${address}/api/auth/login`, signIn)).status).toBe(204);
    const bearer = { authorization: `Bearer ${placed.recorded.token}` };
    const user = await fetch(`${address}/api/user`, { headers: bearer });
    expect(await user.json()).toMatchObject({ username: 'admin' });
  });

  test('shows the logs of its tasks as they were, byte for byte', async () => {
    const { placed, call, server } = installation(name);
    const found = await readTasks(call, server, placed.recorded);
    expect(found.slice(0, placed.recorded.tasks.length)).toEqual(placed.recorded.tasks);
  });

  test('runs tasks, which open its secrets', async () => {
    const { placed, call, server, path, idOf } = installation(name);
    const { project, token } = placed.recorded;
    const logOf = async (task: number): Promise<string> => {
      const address = `${server.address}${path(`tasks/${task}/raw_output`)}`;
      return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).text();
    };
    const shell = await runTask(call, project, { template_id: idOf('prove') });
    expect([shell.status, await logOf(shell.id)]).toEqual([
      'success',
      expect.stringContaining(proof),
    ]);
    const play = await runTask(call, project, { template_id: idOf('play') });
    expect([play.status, await logOf(play.id)]).toEqual([
      'success',
      expect.stringContaining(vaultProof),
    ]);
    const build = await runTask(call, project, { template_id: idOf('build') });
    expect(await call('GET', path(`tasks/${build.id}`))).toMatchObject({
      version: expect.stringMatching(/^1\.[56]$/),
    });
    if (placed.recorded.ids['workflow'] === undefined) return;
    expect(await runWorkflow(call, project, idOf('workflow'))).toBe('success');
  });

  test('its integration starts a task', async () => {
    const { placed, server, activate, untilStartedBy } = installation(name);
    const headers = { 'content-type': 'application/json', 'x-token': secrets.hook };
    const sent = await fetch(`${server.address}${placed.recorded.hook}`, {
      method: 'POST',
      headers,
      body: '{"ref": "main"}',
    });
    expect(sent.status).toBe(204);
    await untilStartedBy('integration_id');
    // It is due each minute, which passes while the other installations are tested.
    await activate(true);
  });
});

describe.each(recordingNames())('later, an installation of %s', (name) => {
  afterAll(async () => {
    const { server, placed } = installation(name);
    await server.stop();
    await placed.remove();
  });

  test('has started a task by its schedule', async () => {
    const { activate, untilStartedBy } = installation(name);
    expect(await untilStartedBy('schedule_id')).toBe(true);
    await activate(false);
  });

  test('goes back as the guide says, and forward again', async () => {
    const { placed, before, server, copies } = installation(name);
    expect(await server.end('SIGTERM')).toBe(0);
    const [copy] = await copies();
    // A recording of the present form had no upgrade, and so nothing to go back to.
    if (copy !== undefined) await goBack(placed, copy);
    const content = copy === undefined ? before : await contentOf(placed.database);
    expect(content).toEqual(before);
    const settings = { ...placed.env, SIGNALBOX_DATA_DIR: placed.dataDir };
    const again = await runCommand(['migrate'], settings);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('is up to date.')]);
    // This command opens every secret and seals it again; one that it cannot open is an error.
    const rotated = await runCommand(['keys', 'rotate'], settings);
    expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/Sealed again: \d+/) });
  });
});

/** Runs the commands of the guide with the names of this installation. */
async function goBack({ dataDir, database }: Placed, copy: string): Promise<void> {
  const part = ownEngine === 'sqlite' ? 'mv signalbox.db' : 'pg_restore';
  const block = blocks.find(({ page, text }) => page === 'upgrade.md' && text.includes(part));
  const bin = await folder();
  await writeFile(join(bin, 'systemctl'), '#!/bin/sh\n', { mode: 0o755 });
  const url = ownEngine === 'postgres' ? new URL(database) : null;
  const own = url?.pathname.slice(1) ?? 'signalbox';
  const text = (block?.text ?? '')
    .replaceAll('/var/lib/signalbox', dataDir)
    .replaceAll(/\d{4}-[\w-]+\.(?:db|pgdump)/g, copy)
    .replaceAll(/sudo -u \w+ /g, '')
    .replaceAll(/database signalbox\b/g, `database ${own}`)
    .replaceAll('to signalbox_newer', `to ${own}_newer`)
    .replaceAll(/(createdb .*) signalbox$/gm, `$1 ${own}`)
    .replaceAll('--dbname=signalbox', `--dbname=${own}`);
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH']}`,
    ...(url && { PGHOST: url.hostname, PGPORT: url.port, PGUSER: url.username }),
  };
  expect(text).toContain(copy);
  await run('bash', ['-euo', 'pipefail', '-c', text], { cwd: bin, env });
}
