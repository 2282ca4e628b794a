import { execFileSync } from 'node:child_process';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { serverMain } from '../../../test/helpers/program.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { openDatabase } from './open.ts';

/** The files of a folder, with the rights of others than their owner. */
async function modesIn(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile());
  const modes = names.map(async ({ name }) => {
    const { mode } = await stat(join(path, name));
    return [name, (mode & 0o777).toString(8)] as const;
  });
  return Object.fromEntries(await Promise.all(modes));
}

const all = ['signalbox.db', 'signalbox.db-shm', 'signalbox.db-wal'];

test.each(['none of them', 'all of them, open to everybody'])(
  'the files of a database are for its owner alone where there were %s',
  async (before) => {
    const path = await folder();
    const file = join(path, 'signalbox.db');
    for (const name of before.startsWith('all') ? all : []) {
      await writeFile(join(path, name), '');
      await chmod(join(path, name), 0o666);
    }
    const db = openDatabase(`sqlite:${file}`);
    onTestFinished(() => db.destroy());
    await sql`create table one (two)`.execute(db);
    expect(await modesIn(path)).toEqual(Object.fromEntries(all.map((name) => [name, '600'])));
  },
);

test('a command leaves no file that others may read, whatever the umask is', async () => {
  const dataDir = await folder();
  const env = { PATH: process.env['PATH'], SIGNALBOX_DATA_DIR: dataDir };
  const script = 'umask 000 && exec "$0" "$1" migrate';
  execFileSync('/bin/sh', ['-c', script, process.execPath, serverMain], { env, stdio: 'ignore' });
  const modes = await modesIn(dataDir);
  expect(modes).toMatchObject({ 'signalbox.db': '600', 'master.key': '600' });
  expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
});
