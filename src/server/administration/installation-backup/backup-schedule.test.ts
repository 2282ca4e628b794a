// Release on PostgreSQL: the files of backups are the same on both engines.

import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { system } from '#shared/api/system.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { folder } from '../../../../test/helpers/seed.ts';
import { until } from '../../../../test/helpers/until.ts';
import type { Config } from '../../config/config.ts';
import { isBackupName } from './backup-name.ts';
import { BackupSchedule, type RunBackup } from './backup-schedule.ts';
import { backUpInProcess } from './backup-process.ts';

interface BackupSetup {
  app: TestApp;
  to: string;
  /** The schedule of a server with this name; its time is `time`. */
  schedule: (run?: RunBackup, name?: string) => BackupSchedule;
  time: { now: string };
}

async function given(options: Partial<NonNullable<Config['backups']>> = {}): Promise<BackupSetup> {
  const to = await folder();
  const backups = { schedule: '0 3 * * *', folder: to, keep: 2, ...options };
  const app = await testApp({ config: { backups } });
  const time = { now: '2026-05-04T12:00:00.000Z' };
  const clock = { now: () => new Date(time.now), close: () => undefined };
  const schedule: BackupSetup['schedule'] = (run = backUpInProcess, name = 'one') =>
    new BackupSchedule({ ...app.ctx, clock, config: { ...app.ctx.config, serverName: name } }, run);
  return { app, to, schedule, time };
}

/** The schedule has begun once, and its first due time is nine hours past. */
async function untilFirstDue({ schedule, time }: BackupSetup): Promise<void> {
  const first = schedule();
  await first.start();
  await first.loop.close();
  time.now = '2026-05-05T12:00:00.000Z';
}

/** The backups, without the row that notes when the schedule began. */
const rowsOf = async ({ app }: BackupSetup) =>
  (await app.ctx.db.selectFrom('installation_backups').selectAll().orderBy('due').execute()).filter(
    ({ end, bytes, failure }) => end === null || bytes !== null || failure !== null,
  );

/** Stands for a backup: a file of this name in the folder. */
const writing =
  (names: string[]): RunBackup =>
  async (_config, to) => {
    const file = join(to, names.shift() ?? '');
    await writeFile(file, 'backup');
    return { file, bytes: 6 };
  };

test('makes a backup when it is due, by a process of its own, and tells of it', async () => {
  const g = await given();
  const first = g.schedule();
  await first.start();
  expect(await first.state()).toBe('ok');
  await first.loop.close();
  expect(await rowsOf(g)).toEqual([]);
  // The server was down at two due times: the last one is made up for, once.
  g.time.now = '2026-05-06T11:00:00.000Z';
  const second = g.schedule();
  await second.start();
  const [row] = await until(async () => {
    const rows = await rowsOf(g);
    return rows[0]?.end ? rows : false;
  });
  expect(row).toMatchObject({ failure: null, due: expect.stringMatching(/^2026-05-06T/) });
  expect(await second.state()).toBe('ok');
  await second.loop.close();
  expect(await rowsOf(g)).toHaveLength(1);
  const [name = '', ...others] = await readdir(g.to);
  expect([isBackupName(name), others, row?.file]).toEqual([true, [], join(g.to, name)]);
  const [event] = await g.app.admin.call(events.list, { query: {} });
  expect(event?.description).toBe(`Scheduled backup of the installation made: ${join(g.to, name)}`);
  const figures = await g.app.admin.call(system.figures, {});
  expect(figures.backups).toEqual({
    scheduled: true,
    last: '2026-05-06T11:00:00.000Z',
    bytes: row?.bytes,
    failure: null,
  });
});

test('of two servers exactly one makes it', async () => {
  const g = await given();
  await untilFirstDue(g);
  let made = 0;
  const run: RunBackup = async (config, to, signal) => {
    made += 1;
    return writing([`signalbox-2026-05-05T03-00-0${made}Z.tar.zst`])(config, to, signal);
  };
  const both = [g.schedule(run, 'one'), g.schedule(run, 'two')];
  for (const one of both) await one.start();
  await until(async () => (await rowsOf(g))[0]?.end);
  for (const one of both) await one.loop.close();
  expect(made).toBe(1);
});

test('keeps the newest, and removes only files that it has made', async () => {
  const g = await given();
  const foreign = ['signalbox-2020-01-01T03-00-00Z.tar.zst', 'notes.txt'];
  for (const name of foreign) await writeFile(join(g.to, name), 'foreign');
  const nameOf = (day: number) => `signalbox-2026-05-0${day}T03-00-00Z.tar.zst`;
  const names = [5, 6, 7, 8].map(nameOf);
  for (const day of [4, 5, 6, 7, 8]) {
    g.time.now = `2026-05-0${day}T12:00:00.000Z`;
    const one = g.schedule(writing(names));
    await one.start();
    await until(async () => {
      const rows = await rowsOf(g);
      return rows.length === day - 4 && rows.every(({ end }) => end !== null);
    });
    await one.loop.close();
  }
  expect((await readdir(g.to)).toSorted()).toEqual([...foreign, nameOf(7), nameOf(8)].toSorted());
  // One that fails removes nothing.
  g.time.now = '2026-05-09T12:00:00.000Z';
  const failing = g.schedule(() => Promise.resolve({ failure: 'No room.' }));
  await failing.start();
  await until(async () => (await rowsOf(g)).at(-1)?.failure);
  await failing.loop.close();
  expect(existsSync(join(g.to, nameOf(7)))).toBe(true);
});

test('a failed one is told, and the server stays ready', async () => {
  const g = await given({ folder: '/no/such/folder' });
  await untilFirstDue(g);
  const one = g.schedule();
  await one.start();
  await until(async () => (await rowsOf(g))[0]?.end);
  expect(await one.state()).toBe('failed');
  await one.loop.close();
  const [event] = await g.app.admin.call(events.list, { query: {} });
  expect(event).toMatchObject({
    description: 'Scheduled backup of the installation failed: There is no folder /no/such/folder.',
    object_type: 'installation',
  });
  const health = await g.app.nobody.call(system.health, {});
  expect(health).toMatchObject({ status: 'ok', backups: 'failed' });
});

test('one that has failed is tried again until it succeeds, and told of once', async () => {
  const g = await given();
  await untilFirstDue(g);
  let fails = 2;
  let made = 0;
  const run: RunBackup = async (config, to, signal) => {
    made += 1;
    fails -= 1;
    if (fails >= 0) return { failure: 'The disk is full.' };
    return writing(['signalbox-2026-05-05T12-20-00Z.tar.zst'])(config, to, signal);
  };
  const one = g.schedule(run);
  await one.start();
  await until(() => made === 1);
  await one.loop.runOnce();
  expect([made, await one.state()]).toEqual([1, 'failed']);
  for (const [time, attempts] of [
    ['12:04', 1],
    ['12:05', 2],
    ['12:19', 2],
    ['12:20', 3],
    ['18:00', 3],
  ] as const) {
    g.time.now = `2026-05-05T${time}:00.000Z`;
    await one.loop.runOnce();
    expect([time, made]).toEqual([time, attempts]);
  }
  expect(await one.state()).toBe('ok');
  await one.loop.close();
  expect(await rowsOf(g)).toMatchObject([{ failure: null, bytes: 6 }]);
  const told = await g.app.admin.call(events.list, { query: {} });
  const codes = told.map(({ code }) => code).filter((code) => code.startsWith('installation.'));
  expect(codes).toEqual(['installation.backed_up', 'installation.backup_failed']);
});

test('an error of the database while a backup is noted loses neither it nor its file', async () => {
  const g = await given();
  await untilFirstDue(g);
  let made = 0;
  const hold = async (isHeld: boolean): Promise<void> => {
    const { db } = g.app.ctx;
    if (isHeld) await sql`alter table events rename to events_away`.execute(db);
    else await sql`alter table events_away rename to events`.execute(db);
  };
  const one = g.schedule(async (config, to, signal) => {
    made += 1;
    await hold(true);
    return writing(['signalbox-2026-05-05T03-00-00Z.tar.zst'])(config, to, signal);
  });
  await one.start();
  await until(() => made === 1);
  expect(await rowsOf(g)).toMatchObject([{ end: null }]);
  await hold(false);
  await one.loop.runOnce();
  await one.loop.close();
  expect([made, await rowsOf(g)]).toMatchObject([1, [{ failure: null, bytes: 6 }]]);
});

test('is late when none was made in time', async () => {
  const g = await given();
  const one = g.schedule();
  await one.start();
  // Afterwards it looks for no due time any more.
  await one.loop.close();
  g.time.now = '2026-05-06T12:00:00.000Z';
  expect(await one.state()).toBe('late');
});

test('one whose server ended meanwhile is made again', async () => {
  const g = await given();
  await untilFirstDue(g);
  const killed = g.schedule(
    (_config, _to, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ failure: 'killed' }));
      }),
  );
  await killed.start();
  await until(async () => (await rowsOf(g)).length);
  await killed.loop.close();
  expect((await rowsOf(g))[0]).toMatchObject({ end: null, failure: null });
  const again = g.schedule(writing(['signalbox-2026-05-05T03-00-00Z.tar.zst']));
  await again.start();
  await until(async () => (await rowsOf(g))[0]?.end);
  await again.loop.close();
  expect(await rowsOf(g)).toHaveLength(1);
});

test('refuses a schedule that is never due', async () => {
  const g = await given({ schedule: '0 3 31 2 *' });
  await mkdir(join(g.to, 'x'));
  await expect(g.schedule().start()).rejects.toThrow('never due or no cron expression');
});
