import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { isDemo, makeDemo } from './demo-repository.ts';
import { checkFolder } from './local-folder.ts';

const name = 'demo-0123456789ab';

/** The settings of a server with a new data folder, and its demo repository, which nobody has made. */
async function server() {
  const dataDir = await folder();
  const config = await runnerSettings({
    dataDir,
    localRepositories: [join(dataDir, 'repositories')],
  });
  return { config, dataDir, path: join(dataDir, 'repositories', name) };
}

const git = (at: string, ...args: string[]): string =>
  execFileSync('git', ['-C', at, ...args], { encoding: 'utf8' }).trim();

test('each server makes a demo repository that it does not have, with the same commit', async () => {
  const [one, other] = [await server(), await server()];
  await checkFolder(one.config, one.path);
  expect(await makeDemo(other.config, name)).toBe(other.path);
  expect(git(one.path, 'rev-parse', 'main')).toBe(git(other.path, 'rev-parse', 'main'));
  expect(git(one.path, 'status', '--porcelain')).toBe('');
  expect(git(one.path, 'ls-files')).toContain('hello.yml');
});

test('a demo repository that is there is kept, also when several runs make it at once', async () => {
  const { config, dataDir, path } = await server();
  await Promise.all([1, 2, 3].map(() => checkFolder(config, path)));
  git(
    path,
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    'commit',
    '--allow-empty',
    '-m',
    'B',
  );
  await checkFolder(config, path);
  await makeDemo(config, name);
  expect(git(path, 'log', '-1', '--format=%s')).toBe('B');
  // No draft is left.
  expect(await readdir(join(dataDir, 'repositories'))).toEqual([name]);
});

test('nothing else is made', async () => {
  const { config, dataDir } = await server();
  const there = join(dataDir, 'repositories');
  const paths = [
    join(there, 'demo'),
    join(there, 'demo-0123456789AB'),
    join(there, 'other', name),
    join(dataDir, name),
    `${there}/x/../${name}`,
    `${there}/${name}/`,
  ];
  for (const path of paths) {
    expect([path, isDemo(config, path)]).toEqual([path, false]);
    await expect(checkFolder(config, path)).rejects.toThrow(/does not exist|is outside/);
  }
  await expect(readdir(there)).rejects.toThrow('ENOENT');
});
