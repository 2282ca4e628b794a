// Also on PostgreSQL: its database is copied in another way before migrations.
// Slow: it upgrades a database many times, in processes of their own too.
// The copy of the database that is made before an upgrade, and upgrades that are refused or fail.

import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, test } from 'vitest';
import { ownEngine } from '../../../../test/helpers/app.ts';
import { runCommand, runInside, type Settings } from '../../../../test/helpers/command.ts';
import {
  forms,
  migrateTo,
  olderInstallation,
  type OlderInstallation,
} from '../../../../test/helpers/older-installation.ts';
import { folder } from '../../../../test/helpers/seed.ts';
import { smallDisk } from '../../../../test/helpers/small-disk.ts';
import { createLog } from '../../../node/log/log.ts';
import { version } from '../../../node/process/version.ts';
import { loadConfig } from '../../config/config.ts';
import { migrations } from '../../db/migrations/index.ts';
import { openCopy } from '../../db/snapshot/sqlite-snapshot.ts';
import { checkDump } from '../../db/snapshot/postgres-snapshot.ts';
import { upgradeDatabase } from './upgrade.ts';

const [before = '', newest = ''] = forms.slice(-2);
const older = forms[20] ?? '';
const extension = ownEngine === 'sqlite' ? 'db' : 'pgdump';
const named = (form: string): unknown =>
  expect.stringMatching(
    new RegExp(`^${form}-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ\\.${extension}$`),
  );
const copiesIn = async (dataDir: string): Promise<string[]> => readdir(join(dataDir, 'upgrades'));

/** The rows that the database has to keep. */
const mark = (db: OlderInstallation['db']): Promise<unknown> =>
  sql`insert into settings (name, value) values ('mark', 'before')`.execute(db);

/** Upgrades in this process; returns what was done and the lines of the log. */
async function upgrade(
  { db, settings }: Pick<OlderInstallation, 'db' | 'settings'>,
  list: Record<string, Migration> = migrations,
) {
  const lines: Record<string, unknown>[] = [];
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const config = loadConfig({ PATH: process.env['PATH'], ...settings });
  const done = await upgradeDatabase({ config, db, log: createLog('warn', to), list }).catch(
    (error: unknown) => ({ refused: (error as Error).message }),
  );
  return { done, lines };
}

/** Throws unless the copy is a whole database of the older form. */
async function readCopy(file: string, settings: Settings): Promise<void> {
  const place = await folder();
  if (ownEngine === 'sqlite') {
    const read = join(place, 'copy');
    await copyFile(file, read);
    const { migrations: has, rows } = await openCopy(read, true);
    if (has.at(-1) !== older || rows['settings'] !== 1) throw new Error('It has another form.');
  } else {
    const url = settings['SIGNALBOX_DATABASE_URL'] ?? '';
    const path = process.env['PATH'] ?? '';
    await checkDump({ url, path, folder: place }, file, ['settings', 'users']);
  }
}

test('a command makes a copy, runs what is missing, and records it', async () => {
  const { dataDir, settings, db } = await olderInstallation(older);
  await mark(db);
  const { code, out } = await runInside(['migrate'], settings);
  const [name = ''] = await copiesIn(dataDir);
  expect([code, name]).toEqual([0, named(older)]);
  const file = join(dataDir, 'upgrades', name);
  expect(out).toContain(`Copy of the database from before: ${file} (`);
  expect(out).toContain(`  ${newest}: `);
  expect(out).toMatch(/The database is up to date\.\n$/);
  expect([(await stat(file)).mode & 0o777, (await stat(join(file, '..'))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  await expect(readCopy(file, settings)).resolves.toBeUndefined();
  const events = await db.selectFrom('events').select(['code', 'params', 'via']).execute();
  expect(events.map(({ code: one, via }) => [one, via])).toEqual([
    ['installation.upgraded', 'server'],
  ]);
  expect(JSON.parse(String(events[0]?.params))).toEqual({
    name: version,
    amount: forms.length - 21,
    copy: name,
  });
  expect((await runInside(['migrate'], settings)).out).toBe('The database is up to date.\n');
  expect(await copiesIn(dataDir)).toEqual([name]);
});

test('the log tells of the copy and of each migration', async () => {
  const place = await olderInstallation(before);
  const { lines } = await upgrade(place);
  expect(lines).toMatchObject([
    { msg: 'the database is upgraded', from: before, to: newest, version },
    {
      file: expect.stringContaining(before),
      bytes: expect.any(Number),
      seconds: expect.any(Number),
    },
    { msg: 'a migration has run', migration: newest, ms: expect.any(Number) },
  ]);
});

test('an empty database needs no copy', async () => {
  const { settings, dataDir } = await olderInstallation(null);
  expect((await runInside(['migrate'], settings)).out).toBe('The database is up to date.\n');
  expect(await readdir(dataDir)).not.toContain('upgrades');
});

const failing: Record<string, Migration> = {
  ...migrations,
  '9998-works': {
    async up(db) {
      await db.schema.createTable('half_made').addColumn('id', 'integer').execute();
      await sql`delete from settings`.execute(db);
    },
  },
  '9999-fails': { up: async (db) => void (await sql`insert into nowhere values (1)`.execute(db)) },
};

test('a migration that fails leaves the database as it was, and says what to do', async () => {
  const place = await olderInstallation(newest);
  await mark(place.db);
  for (let count = 1; count <= 3; count += 1) {
    const { done, lines } = await upgrade(place, failing);
    const [name = '', ...others] = await copiesIn(place.dataDir);
    expect([name, others]).toEqual([named(newest), []]);
    expect(done).toEqual({
      refused: expect.stringMatching(
        new RegExp(
          `^The migration 9999-fails failed: .*nowhere.* as it was.* A copy of it is .*${name}\\. Start the version before again`,
        ),
      ),
    });
    expect(lines.at(-1)).toMatchObject({ msg: 'database upgrade failed' });
  }
  const tables = await place.db.introspection.getTables();
  expect(tables.map(({ name }) => name)).not.toContain('half_made');
  const rows = await place.db.selectFrom('settings').selectAll().execute();
  expect(rows).toEqual([{ name: 'mark', value: 'before' }]);
  expect((await upgrade(place)).done).toBeNull();
});

test('the newest copies of two forms are kept, and no other file is touched', async () => {
  const place = await olderInstallation(older);
  const { dataDir, db } = place;
  await mkdir(join(dataDir, 'upgrades', '.work'), { recursive: true });
  const upTo = (form: string) =>
    Object.fromEntries(Object.entries(migrations).slice(0, forms.indexOf(form) + 1));
  const steps = [21, 22, 23].map((index) => forms[index] ?? '');
  for (const form of steps) await upgrade(place, upTo(form));
  expect((await copiesIn(dataDir)).toSorted()).toEqual([
    named(steps[0] ?? ''),
    named(steps[1] ?? ''),
  ]);
  await migrateTo(db, newest);
});

test('an upgrade without room for the copy is refused, and switching the copy off allows it', async () => {
  const disk = await smallDisk(1);
  const dataDir = join(disk, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const made = await olderInstallation(older);
  if (ownEngine === 'sqlite') {
    await sql`vacuum into ${`${dataDir}/signalbox.db`}`.execute(made.db);
  }
  const settings = { ...made.settings, SIGNALBOX_DATA_DIR: dataDir };
  const { code, error } = await runInside(['migrate'], settings);
  const told = error.split('\n').at(-2) ?? '';
  expect(code).toBe(1);
  expect(told).toMatch(
    /which needs \d{7,} bytes on the disk of \S+upgrades, and \d+ bytes are free\. The database is unchanged/,
  );
  expect(told).toContain('SIGNALBOX_UPGRADE_BACKUP=off');
  expect(await copiesIn(dataDir)).toEqual([]);
  const off = await runInside(['migrate'], {
    ...made.settings,
    SIGNALBOX_UPGRADE_BACKUP: 'off',
  });
  expect([off.code, off.out]).toEqual([0, expect.stringContaining('No copy was made before.')]);
  const events = await made.db.selectFrom('events').select('code').execute();
  expect(events).toEqual([{ code: 'installation.upgraded_without_copy' }]);
});

test('two that start at once make one copy', async () => {
  const { settings, dataDir, db } = await olderInstallation(older);
  const ended = await Promise.all([1, 2, 3].map(() => runCommand(['migrate'], settings)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(ended.filter(({ out }) => out.includes('Copy of the database'))).toHaveLength(1);
  expect(await copiesIn(dataDir)).toEqual([named(older)]);
  expect(await db.selectFrom('events').select('code').execute()).toHaveLength(1);
});

test('a newer database is refused with both versions and the place of the copies', async () => {
  const { settings, dataDir, db } = await olderInstallation(newest);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2999')`.execute(
    db,
  );
  await sql`insert into settings (name, value) values ('migrated_by_version', '99.1.0')`.execute(
    db,
  );
  for (const command of ['server', 'migrate']) {
    const { code, error } = await runInside([command], { ...settings, SIGNALBOX_PORT: '0' });
    expect([code, error.trim()]).toEqual([
      1,
      `The database was brought to the form of a newer version of Signalbox (99.1.0, 9999-later). This is version ${version}, which knows the forms up to ${newest}. Start that version or a later one, or restore a backup from before. Copies from before upgrades lie in ${join(dataDir, 'upgrades')}.`,
    ]);
  }
});

test('the version that has migrated is noted', async () => {
  const { settings, db, dataDir } = await olderInstallation(older);
  await runInside(['migrate'], settings);
  const found = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'migrated_by_version')
    .execute();
  expect(found).toEqual([{ value: version }]);
  expect(await readFile(join(dataDir, 'master.key'), 'utf8')).not.toBe('');
});
