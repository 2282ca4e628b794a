// What a server looks at before it runs tasks as other users.

import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../helpers/seed.ts';
import { makeRunUsers } from '../helpers/unix-user.ts';
import { createLog } from '../../src/node/log/log.ts';
import { loadConfig, type Config } from '../../src/server/config/config.ts';
import { openContext } from '../../src/server/open-context.ts';
import { closeFiles, prepareIsolation } from '../../src/runner/workspace/run-users.ts';

async function setUp(): Promise<{ config: Config; dataDir: string; setting: string }> {
  const place = await folder();
  await chmod(place, 0o755);
  const dataDir = join(place, 'data');
  await mkdir(dataDir);
  const config = { ...loadConfig({}), dataDir, runAs: makeRunUsers(2) };
  return { config, dataDir, setting: join(place, 'protected_hardlinks') };
}

const modeOf = async (path: string): Promise<string> =>
  ((await stat(path)).mode & 0o777).toString(8);

test('a system on which anybody links files of others is refused, with what to do', async () => {
  const { config, dataDir, setting } = await setUp();
  await writeFile(setting, '0\n');
  await expect(prepareIsolation(config, setting)).rejects.toThrow(
    'sysctl -w fs.protected_hardlinks=1',
  );
  expect(await readdir(dataDir)).toEqual([]);
  // Without users of their own it does not matter.
  await prepareIsolation({ ...config, runAs: [] }, setting);
  await writeFile(setting, '1\n');
  await prepareIsolation(config, setting);
  expect(await readdir(dataDir)).toContain('runs');
  // Where the system does not tell, it is taken to be as systems are.
  await prepareIsolation(config, join(dataDir, 'nothing'));
});

test('what a start makes is closed too, and nothing of an earlier mode stays open', async () => {
  const { config, dataDir } = await setUp();
  await writeFile(join(dataDir, 'notes'), 'private', { mode: 0o644 });
  await mkdir(join(dataDir, 'kept'), { mode: 0o755 });
  const ctx = await openContext({ config, log: createLog('fatal') });
  await ctx.close();
  const names = await readdir(dataDir);
  expect(names).toEqual(expect.arrayContaining(['signalbox.db', 'master.key']));
  const modes = new Map<string, string>();
  for (const name of names) modes.set(name, await modeOf(join(dataDir, name)));
  const open = [
    'runs',
    'mirrors',
    'galaxy',
    'venvs',
    'environments',
    'facts',
    'homes',
    'terraform',
    'repositories',
  ];
  for (const [name, mode] of modes) {
    const closed = name === 'kept' ? '700' : '600';
    expect([name, mode]).toEqual([name, open.includes(name) ? '711' : closed]);
  }
  await chmod(join(dataDir, 'signalbox.db'), 0o644);
  await closeFiles({ ...config, runAs: [] });
  expect(await modeOf(join(dataDir, 'signalbox.db'))).toBe('644');
  await closeFiles(config);
  expect(await modeOf(join(dataDir, 'signalbox.db'))).toBe('600');
});
