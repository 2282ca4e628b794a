// Only on SQLite: the tests are about its files, and about the machine.
// Slow: each test starts a whole server.
// The server says in sentences why it cannot start and what to do, and never prints a stack.

import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { runInside, type Settings } from '../../../test/helpers/command.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { startServer } from '../../../test/helpers/server.ts';
import { fill, smallDisk } from '../../../test/helpers/small-disk.ts';
import { asRoot } from '../../../test/helpers/unix-user.ts';

/** The words with which a server refuses to start. */
async function refusal(settings: Settings): Promise<string> {
  const { code, out, error } = await runInside(['server'], { SIGNALBOX_PORT: '0', ...settings });
  expect([code, out]).toEqual([1, '']);
  expect(error).not.toMatch(/^\s+at /m);
  return error;
}

/** The data folder of a server that has run and ended properly. */
async function usedFolder(): Promise<string> {
  const dataDir = await folder();
  const { code } = await runInside(['migrate'], { SIGNALBOX_DATA_DIR: dataDir });
  expect(code).toBe(0);
  return dataDir;
}

test.each([
  ['203.0.113.7', /^This machine has no address 203\.0\.113\.7 to listen on\. .*SIGNALBOX_HOST\.$/],
  ['no-such-host.invalid', /^This machine has no address no-such-host\.invalid/],
])('the address %s is none of this machine', async (host, words) => {
  const settings = { SIGNALBOX_DATA_DIR: await folder(), SIGNALBOX_HOST: host };
  expect((await refusal(settings)).trim()).toMatch(words);
});

test('the port is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const settings = { SIGNALBOX_DATA_DIR: await folder(), SIGNALBOX_PORT: String(port) };
  expect(await refusal(settings)).toBe(
    `Port ${port} of 127.0.0.1 is taken. Choose another: SIGNALBOX_PORT.\n`,
  );
});

test('the data folder is a file, or cannot be made', async () => {
  const file = join(await folder(), 'file');
  await writeFile(file, '');
  const refused = async (dataDir: string) => refusal({ SIGNALBOX_DATA_DIR: dataDir });
  expect(await refused(file)).toContain(`The data folder ${file} cannot be used: it is a file.`);
  expect(await refused(join(file, 'data'))).toContain('a part of its path is a file.');
  expect(await refused('/proc/nowhere')).toContain(
    'The data folder /proc/nowhere cannot be used: the system makes no folder there.',
  );
});

test('the data folder can only be read, or its disk is full', async () => {
  const disk = await smallDisk(2);
  const settings = { SIGNALBOX_DATA_DIR: join(disk, 'data') };
  const empty = await fill(disk);
  expect(await refusal(settings)).toMatch(/full\. /);
  await empty();
  expect((await runInside(['migrate'], settings)).code).toBe(0);
  const again = await fill(disk);
  const login = ['--login', 'anna', '--name', 'A', '--email', 'a@example.com'];
  const added = await runInside(['user', 'add', ...login, '--password', 'a long word'], settings);
  expect([added.code, added.error]).toEqual([1, expect.stringMatching(/full\. Make room/)]);
  await again();
  asRoot('mount', ['-o', 'remount,ro', disk]);
  expect(await refusal(settings)).toContain('cannot be used: its disk can only be read.');
  expect((await runInside(['user', 'list'], settings)).error).toContain('can only be read.');
});

test.each([
  ['no database', async (file: string) => writeFile(file, 'not a database'.repeat(1000))],
  ['cut off', async (file: string) => truncate(file, 3 * 4096)],
  ['cut off in the middle of a page', async (file: string) => truncate(file, 5000)],
  [
    'damaged within',
    async (file: string) => {
      const handle = await open(file, 'r+');
      await handle.write(Buffer.alloc(4096, 0xff), 0, 4096, 100);
      await handle.close();
    },
  ],
])('the database is %s', async (_what, spoil) => {
  const dataDir = await usedFolder();
  const file = join(dataDir, 'signalbox.db');
  await spoil(file);
  const words = `The database ${file} is damaged, or is no database of SQLite. Move it away together with the files ${file}-wal and ${file}-shm, put one from a backup in its place`;
  expect(await refusal({ SIGNALBOX_DATA_DIR: dataDir })).toContain(words);
  const { code, error } = await runInside(['user', 'list'], { SIGNALBOX_DATA_DIR: dataDir });
  expect([code, error]).toEqual([1, expect.stringContaining(words)]);
});

test('the database is a folder, or empty beside its master key', async () => {
  const dataDir = await usedFolder();
  const file = join(dataDir, 'signalbox.db');
  await truncate(file, 0);
  expect(await refusal({ SIGNALBOX_DATA_DIR: dataDir })).toMatch(
    /^The database .* is empty, and its master key is there/,
  );
  const other = await folder();
  await mkdir(join(other, 'signalbox.db'));
  expect(await refusal({ SIGNALBOX_DATA_DIR: other })).toMatch(/cannot be opened for writing/);
});

test('the master key is no file', async () => {
  const dataDir = await folder();
  await mkdir(join(dataDir, 'master.key'));
  expect(await refusal({ SIGNALBOX_DATA_DIR: dataDir })).toMatch(/^The master key cannot be read/);
});

test('the journal was cut off: the server starts, and says so', async () => {
  const first = await startServer();
  onTestFinished(() => first.stop());
  const { dataDir } = first;
  const [file, journal] = ['signalbox.db', 'signalbox.db-wal'].map((name) => join(dataDir, name));
  await first.end('SIGKILL');
  const again = await folder();
  await copyFile(file ?? '', join(again, 'signalbox.db'));
  await copyFile(join(dataDir, 'master.key'), join(again, 'master.key'));
  const whole = await readFile(journal ?? '');
  await writeFile(join(again, 'signalbox.db-wal'), whole.subarray(0, whole.length - 1000));
  const cut = await runInside(['server'], { SIGNALBOX_DATA_DIR: again, SIGNALBOX_PORT: '0' });
  expect(cut).toMatchObject({ code: 0, out: expect.stringContaining('Signalbox is ready') });
  expect(cut.error).toMatch(/^The journal .*signalbox\.db-wal is cut off or damaged/);
  const settings = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_PORT: '0' };
  expect(await runInside(['server'], settings)).toMatchObject({ code: 0, error: '' });
});

test('a journal of another database is refused, and neither file is changed', async () => {
  const first = await startServer();
  onTestFinished(() => first.stop());
  const { dataDir } = first;
  const [file, journal] = [join(dataDir, 'signalbox.db'), join(dataDir, 'signalbox.db-wal')];
  await first.end('SIGKILL');
  const database = new Database(file);
  database.exec('create table filler (id integer primary key, content text)');
  const add = (rows: number): void => {
    const insert = database.prepare('insert into filler (content) values (?)');
    for (let row = 0; row < rows; row += 1) insert.run(randomBytes(200).toString('hex'));
  };
  add(1000);
  database.pragma('wal_checkpoint(truncate)');
  const backup = await readFile(file);
  add(1000);
  database.pragma('wal_checkpoint(truncate)');
  add(10);
  // What the killed server leaves: the database stays open here, so that the journal stays too.
  await writeFile(file, backup);
  const before = [await readFile(file), await readFile(journal)];
  const settings = { SIGNALBOX_DATA_DIR: dataDir };
  const error = await refusal(settings);
  expect(error).toMatch(/^The database .*signalbox\.db and the journal .*-wal do not fit together/);
  expect([await readFile(file), await readFile(journal)]).toEqual(before);
  await rm(journal);
  await rm(join(dataDir, 'signalbox.db-shm'));
  database.close();
  const again = await runInside(['server'], { ...settings, SIGNALBOX_PORT: '0' });
  expect(again).toMatchObject({ code: 0, error: '' });
});

test.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)('%s ends a server properly', async (signal) => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  expect(await server.end(signal)).toBe(0);
});
