// Also on PostgreSQL: its database is written by programs of its own.
// Slow: servers with running tasks are backed up, and started again elsewhere.
// `signalbox restore` of an installation that was backed up under load.

import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Repository } from '#shared/api/repositories.ts';
import type { Task } from '#shared/api/tasks.ts';
import { connectApi } from '../../../test/helpers/api-client.ts';
import { runCommand, runInside, startCommand } from '../../../test/helpers/command.ts';
import { ownEngine } from '../../../test/helpers/engine.ts';
import {
  backUp,
  emptyPlace,
  installation,
  logOf,
  runUntil,
  type Installation,
} from '../../../test/helpers/restored.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { startServer } from '../../../test/helpers/server.ts';
import { until } from '../../../test/helpers/until.ts';
import { openDatabase } from '../db/open.ts';

let origin: Installation;
let ended: Task;
let running: Task;
let away: string;
let made: { file: string; key: string };

beforeAll(async () => {
  origin = await installation();
  const { call, project, templates } = origin;
  ended = await runUntil(call, project, templates.hello, 'success');
  running = await runUntil(call, project, templates.long, 'running');
  await until(async () => (await logOf(call, project, running.id)).includes('line 20'));
  made = await backUp(origin.settings, (away = await mkdtemp(join(tmpdir(), 'signalbox-away-'))));
}, 300_000);
afterAll(async () => {
  await origin.call('POST', `/api/project/${origin.project}/tasks/${running.id}/stop`, {
    force: true,
  });
  await origin.server.stop();
  await rm(away, { recursive: true, force: true });
});

const fromFile = () => ['restore', '--from', made.file, '--key', made.key];

async function startAt(settings: Record<string, string>) {
  const server = await startServer({
    dataDir: settings['SIGNALBOX_DATA_DIR'] ?? '',
    env: settings,
  });
  onTestFinished(async () => void (await server.end('SIGTERM')));
  return { server, call: await connectApi(server) };
}

test('everything is there elsewhere, and work goes on', async () => {
  const place = await emptyPlace();
  const restored = await runCommand(fromFile(), place);
  expect([restored.error, restored.code]).toEqual(['', 0]);
  expect(restored.out).toMatch(/^Restored: the backup of 20\S+Z, made by Signalbox \S+\.\n/);
  expect(restored.out).toContain('have failed now: 1.\n');
  const dataDir = place.SIGNALBOX_DATA_DIR;
  for (const name of ['master.key', ...(ownEngine === 'sqlite' ? ['signalbox.db'] : [])]) {
    expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  }
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect(await readdir(dataDir)).not.toContain('restore-unfinished');
  expect(await readFile(join(dataDir, 'restored/signalbox.env'), 'utf8')).toContain(
    `SIGNALBOX_DATA_DIR="${origin.server.dataDir}"`,
  );

  const { call } = await startAt(place);
  const { project, templates } = origin;
  const [repository] = await call<Repository[]>('GET', `/api/project/${project}/repositories`);
  expect(repository?.git_url).toBe(`file://${dataDir}/repositories/site`);
  expect(await logOf(call, project, ended.id)).toContain('Hello from');
  const cut = await call<Task>('GET', `/api/project/${project}/tasks/${running.id}`);
  expect(cut.status).toBe('error');
  const log = await logOf(call, project, running.id);
  expect(log).toContain('line 20\n');
  expect(log).toMatch(/restored from a backup made while this task ran[^\n]*$/);
  const next = await runUntil(call, project, templates.hello, 'success');
  expect(next.id).toBeGreaterThan(running.id);
  const text = await logOf(call, project, next.id);
  expect(text).toContain(`Repository: file://${dataDir}/repositories/site`);
  // The script has printed the secret in capitals, which the mask does not know.
  expect(text).toContain('SECRET IS QUIET WORDS');
  const events = await call<{ description: string }[]>('GET', '/api/events');
  expect(events.map(({ description }) => description)).toContainEqual(
    expect.stringMatching(/^Installation restored from its backup of 20/),
  );
});

test('a backup on standard input is restored too; what was there is set aside', async () => {
  const place = await emptyPlace();
  const first = startCommand(['restore', '--from', '-', '--key', made.key], place);
  createReadStream(made.file).pipe(first.stdin);
  expect(await new Promise((resolve) => first.once('close', resolve))).toBe(0);
  const again = await runInside([...fromFile(), '--replace'], place);
  expect([again.error, again.code]).toEqual(['', 0]);
  const aside = (await readdir(place.SIGNALBOX_DATA_DIR)).filter((name) =>
    name.startsWith('replaced-'),
  );
  expect(aside).toHaveLength(1);
  expect(again.out).toContain(
    `What was there before is in ${place.SIGNALBOX_DATA_DIR}/${aside[0]}`,
  );
  const kept = await readdir(join(place.SIGNALBOX_DATA_DIR, aside[0] ?? ''));
  const database = kept.includes('signalbox.db')
    ? 'file'
    : /in the schema replaced_/.exec(again.out);
  expect(String(database)).toBe(ownEngine === 'sqlite' ? 'file' : 'in the schema replaced_');
  const { call } = await startAt(place);
  expect(await logOf(call, origin.project, ended.id)).toContain('Hello from');
});

test('in a drill nothing happens by itself', async () => {
  const { call, project, templates, settings } = origin;
  const fields = { name: 'Often', template_id: templates.hello, cron_format: '* * * * *' };
  await call('POST', `/api/project/${project}/schedules`, { ...fields, active: true });
  // It waits, because another task of its template runs.
  const { id: waiting } = await call<Task>('POST', `/api/project/${project}/tasks`, {
    template_id: templates.long,
  });
  const { file, key } = await backUp(settings, await folder());
  const place = await emptyPlace();
  const drill = await runInside(['restore', '--from', file, '--key', key, '--drill'], place);
  expect([drill.error, drill.code]).toEqual(['', 0]);
  const db = openDatabase(
    place['SIGNALBOX_DATABASE_URL'] ?? `sqlite:${place.SIGNALBOX_DATA_DIR}/signalbox.db`,
  );
  onTestFinished(() => db.destroy());
  expect(await db.selectFrom('schedules').select(['active', 'next_due']).execute()).toEqual([
    { active: 0, next_due: null },
  ]);
  const statuses = await db.selectFrom('tasks').select(['id', 'status']).orderBy('id').execute();
  expect(statuses).toContainEqual({ id: running.id, status: 'error' });
  expect(statuses).toContainEqual({ id: waiting, status: 'stopped' });
});

test('a data folder that was moved is found again, with its repositories', async () => {
  const place = await emptyPlace();
  expect(await runInside(fromFile(), place)).toMatchObject({ code: 0 });
  const moved = { ...place, SIGNALBOX_DATA_DIR: `${place.SIGNALBOX_DATA_DIR} moved` };
  await rename(place.SIGNALBOX_DATA_DIR, moved.SIGNALBOX_DATA_DIR);
  const { call } = await startAt(moved);
  const task = await runUntil(call, origin.project, origin.templates.hello, 'success');
  expect(await logOf(call, origin.project, task.id)).toContain(
    `file://${encodeURI(moved.SIGNALBOX_DATA_DIR)}/repositories/site`,
  );
});
