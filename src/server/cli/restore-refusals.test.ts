// Slow: commands are started as processes of their own.
// `signalbox restore` decides before it writes, and trusts no archive.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putTogether, takeApart, type RawMember } from '../../../test/helpers/altered-archives.ts';
import { runInside, type Settings } from '../../../test/helpers/command.ts';
import { ownEngine } from '../../../test/helpers/engine.ts';
import { backUp, emptyPlace } from '../../../test/helpers/restored.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { openDatabase } from '../db/open.ts';
import { settingsOf, startServer, type TestServer } from '../../../test/helpers/server.ts';

let server: TestServer;
let settings: Settings;
let away: string;
let made: { file: string; key: string };
let archive: Buffer;

beforeAll(async () => {
  server = await startServer();
  const site = join(server.dataDir, 'repositories', 'site');
  await mkdir(site);
  await writeFile(join(site, 'play.yml'), '- hosts: all\n');
  await symlink('play.yml', join(site, 'same.yml'));
  settings = await settingsOf(server.dataDir);
  away = await mkdtemp(join(tmpdir(), 'signalbox-away-'));
  made = await backUp(settings, away);
  archive = await readFile(made.file);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await rm(away, { recursive: true, force: true });
});

/** Restores this archive into an empty place; returns what the command said. */
async function restored(bytes: Buffer, args = ['--key', made.key], more: Settings = {}) {
  const file = join(await folder(), 'backup.tar.zst');
  await writeFile(file, bytes);
  const place = await emptyPlace();
  const { code, error } = await runInside(['restore', '--from', file, ...args], {
    ...place,
    ...more,
  });
  return { code, error, place };
}

/** What the command says of an archive that it refuses. It must have written nothing. */
async function refusalOf(bytes: Buffer, args?: string[], more?: Settings): Promise<string> {
  const { code, error, place } = await restored(bytes, args, more);
  const left = existsSync(place.SIGNALBOX_DATA_DIR) ? await readdir(place.SIGNALBOX_DATA_DIR) : [];
  const tables = await tablesOf(place['SIGNALBOX_DATABASE_URL']);
  // What was unpacked is gone again, so nobody can look at it.
  expect(error).not.toContain(join(place.SIGNALBOX_DATA_DIR, '.restore'));
  if (code === 1 && !/^\s+at /m.test(error) && left.length + tables.length === 0) return error;
  throw new Error(`Not refused: ${JSON.stringify({ code, error, left, tables })}`);
}

async function tablesOf(url: string | undefined): Promise<unknown[]> {
  if (url === undefined) return [];
  const db = openDatabase(url);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  await db.destroy();
  return tables;
}

const altered = (change: (members: RawMember[]) => RawMember[]): Buffer =>
  putTogether(change(takeApart(archive)));

const withManifest = (change: (manifest: Record<string, unknown>) => object): Buffer =>
  altered(([manifest, ...rest]) => {
    const value = JSON.parse(String(manifest?.content)) as Record<string, unknown>;
    const content = Buffer.from(JSON.stringify(change(value)));
    return [{ path: 'manifest.json', type: 'File', content }, ...rest];
  });

test('an archive that was only packed again is restored', async () => {
  const { code, error, place } = await restored(altered((members) => members));
  expect([code, error]).toEqual([0, '']);
  const site = join(place.SIGNALBOX_DATA_DIR, 'repositories/site');
  expect(await readFile(join(site, 'same.yml'), 'utf8')).toBe('- hosts: all\n');
});

describe('refuses', () => {
  test('a backup of a newer version', async () => {
    const newer = 'was made by a newer version of Signalbox';
    const format = withManifest((one) => ({ ...one, format: 2 }));
    expect(await refusalOf(format)).toContain(newer);
    const migrations = ['0001-start', '9999-later'];
    const later = withManifest((one) => ({ ...one, migrations }));
    expect(await refusalOf(later)).toMatch(/newer version of Signalbox \(.*9999-later/);
  });

  test('a missing and a wrong key, and says which one and how', async () => {
    const id = String(manifestOf(archive).key_ids);
    expect(await refusalOf(archive, [])).toContain(
      `The secrets in the backup are sealed with the master key ${id}. Give the file`,
    );
    const wrong = join(await folder(), 'key');
    const other = randomBytes(32).toString('base64');
    await writeFile(wrong, other);
    expect(await refusalOf(archive, ['--key', wrong])).toContain(
      `${wrong} does not hold the master key of the backup, which is ${id}. Give the file`,
    );
    expect(await refusalOf(archive, [], { SIGNALBOX_MASTER_KEY: other })).toContain(
      `SIGNALBOX_MASTER_KEY is not the master key of the backup, which is ${id}.`,
    );
  });

  test('the other engine, and says how to change', async () => {
    const [engine, words] =
      ownEngine === 'sqlite'
        ? ['postgres', 'Set SIGNALBOX_DATABASE_URL to an empty PostgreSQL database.']
        : ['sqlite', 'run "signalbox migrate --from sqlite"'];
    expect(await refusalOf(withManifest((one) => ({ ...one, engine })))).toContain(words);
  });

  test('a folder that is in use', async () => {
    const before = await readdir(server.dataDir);
    const args = ['restore', '--from', made.file, '--key', made.key];
    const used = await runInside(args, settings);
    expect(used).toMatchObject({ code: 1, error: expect.stringContaining('is not empty: ') });
    const running = await runInside([...args, '--replace'], settings);
    expect(running).toMatchObject({ code: 1, error: expect.stringContaining('Stop it first') });
    const after = await readdir(server.dataDir);
    // The running server may add to its folder meanwhile.
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.filter((name) => /restore|replaced/.test(name))).toEqual([]);
  });

  test('a database that is in use', async () => {
    const args = ['restore', '--from', made.file, '--key', made.key];
    const elsewhere = { ...settings, SIGNALBOX_DATA_DIR: join(await folder(), 'new') };
    const used = await runInside(args, elsewhere);
    const connected = await runInside([...args, '--replace'], elsewhere);
    // An installation on SQLite has its database in its data folder.
    const [first, second] =
      ownEngine === 'sqlite'
        ? [/^$/, /^$/]
        : [/is not empty\. Name an empty one/, /Somebody else is connected to the database/];
    expect(used.error).toMatch(first);
    expect(connected.error).toMatch(second);
  });

  test('wrong arguments', async () => {
    const place = await emptyPlace();
    for (const [args, words] of [
      [[], 'Say where the backup is'],
      [['--from', '/no/such/file'], 'There is no file /no/such/file.'],
      [['--from', '/tmp'], '/tmp is no file. Name the backup itself.'],
      [['--from', made.file, '--key', '/no/key'], 'The master key cannot be read from /no/key'],
    ] as const) {
      expect(await runInside(['restore', ...args], place)).toMatchObject({
        code: 1,
        error: expect.stringContaining(words),
      });
    }
  });
});

const manifestOf = (bytes: Buffer): { key_ids: string[] } =>
  JSON.parse(String(takeApart(bytes)[0]?.content)) as { key_ids: string[] };

describe('a damaged archive restores nothing', () => {
  const damaged = 'The backup is damaged';

  // The last few bytes hold nothing but the end of the compression and its own sum.
  test.each([0, 1, 3, 100, 0.1, 0.5, 0.9, -200, -20])('cut off at %s', async (at) => {
    const end = at > 0 && at < 1 ? Math.floor(archive.length * at) : at;
    expect(await refusalOf(archive.subarray(0, end))).toContain(damaged);
  });

  test.each([0.01, 0.2, 0.5, 0.8, 0.99])('a bit is flipped at %s', async (at) => {
    const bytes = Buffer.from(archive);
    const place = Math.floor(bytes.length * at);
    bytes[place] = (bytes[place] ?? 0) ^ 0x10;
    // The names of migrations come first. An unknown one is believed to be of a later version.
    expect(await refusalOf(bytes)).toMatch(/The backup is damaged|a newer version of Signalbox \(/);
  });

  test('the database has other rows', async () => {
    const bytes = withManifest((one) => ({ ...one, rows: { users: 7 } }));
    expect(await refusalOf(bytes)).toMatch(/other rows than/);
  });

  test('the database is missing', async () => {
    const bytes = altered((list) => list.filter(({ path }) => !path.startsWith('database/')));
    expect(await refusalOf(bytes)).toContain('it has no database');
  });

  test('the database is none', async () => {
    const bytes = altered((list) =>
      list.map((one) =>
        one.path.startsWith('database/')
          ? { ...one, content: randomBytes(one.content.length) }
          : one,
      ),
    );
    expect(await refusalOf(bytes)).toMatch(/is damaged|no database|pg_restore has failed/);
  });
});

const file = (path: string, content = 'x'): RawMember => ({
  path,
  type: 'File',
  content: Buffer.from(content),
});
const link = (path: string, linkpath: string, type = 'SymbolicLink'): RawMember => ({
  path,
  type,
  linkpath,
  content: Buffer.alloc(0),
});

test.each<[string, RawMember[]]>([
  ['a path upwards', [file('../outside')]],
  ['a path upwards in the data folder', [file('data/repositories/../../outside')]],
  ['an absolute path', [file('/tmp/outside')]],
  ['an absolute path behind the prefix', [file('data//tmp/outside')]],
  ['a link to somewhere else', [link('data/repositories/site/out', '/etc')]],
  ['a link upwards', [link('data/repositories/site/out', '../../known-hosts')]],
  ['a file through a link', [link('data/repositories/a', 'site'), file('data/repositories/a/x')]],
  ['a hard link', [link('data/repositories/site/hard', '/etc/passwd', 'Link')]],
  ['a device', [{ ...file('data/repositories/site/null', ''), type: 'CharacterDevice' }]],
  ['a pipe', [{ ...file('data/repositories/site/pipe', ''), type: 'FIFO' }]],
  ['a file twice', [file('data/repositories/site/play.yml')]],
  ['a file that is no part of a backup', [file('data/master.key')]],
  ['a lock', [file('data/server.lock')]],
  ['another member', [file('extra')]],
  ['a giant size', [{ ...file('data/repositories/site/big'), size: 8 * 2 ** 40 }]],
  ['a long name', [file(`data/repositories/site/${'n'.repeat(300)}`)]],
  ['a long path', [file(`data/repositories/${'n/'.repeat(2000)}x`)]],
])('a hostile archive restores nothing: %s', async (_title, more) => {
  expect(await refusalOf(altered((members) => [...members, ...more]))).toMatch(
    /damaged|no room for what the backup contains/,
  );
  expect(existsSync('/tmp/outside')).toBe(false);
});
