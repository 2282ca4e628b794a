import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildFolder, buildsFolder, findBuiltServer } from '../../bin/built-server.js';
import { removeOldBuilds, serverStep } from './server.js';

let root: string;

function put(path: string, content: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const putBuild = (name: string): string => put(`dist/server/${name}/main.js`, '');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-builds-'));
  put('src/server/main.ts', 'one');
  put('src/runner/supervisor/supervisor.sh', 'one');
});
afterEach(() => rmSync(root, { recursive: true }));

test('a build is run only with the sources that it was made from', () => {
  expect(findBuiltServer(root)).toBeNull();
  expect(serverStep(root).hasWork()).toBe(true);
  const main = join(buildFolder(root), 'main.js');
  mkdirSync(dirname(main), { recursive: true });
  writeFileSync(main, '');
  expect(findBuiltServer(root)).toBe(main);
  expect(serverStep(root).hasWork()).toBe(false);
  put('src/server/main.test.ts', 'a test');
  expect(findBuiltServer(root)).toBe(main);
});

test.each([
  'src/server/main.ts',
  'src/server/keys/new.ts',
  'src/runner/supervisor/supervisor.sh',
  'src/shared/errors.ts',
  'package-lock.json',
  'scripts/build-server.ts',
])('a change of %s makes the build stale', (path) => {
  const folder = buildFolder(root);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.js'), '');
  put(path, 'another');
  expect(findBuiltServer(root)).toBeNull();
  expect(serverStep(root).hasWork()).toBe(true);
});

describe('the command', () => {
  const run = (...args: string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [
      join(root, 'bin/signalbox.js'),
      ...args,
    ]);
    return { out: stdout.toString(), error: stderr.toString() };
  };

  beforeEach(() => {
    cpSync(join(import.meta.dirname, '../../bin'), join(root, 'bin'), { recursive: true });
    put('package.json', '{ "type": "module" }');
    put('src/server/main.ts', "console.log('the sources');");
    put('node_modules/zod/package.json', '{}');
  });

  test('runs the sources that were not built, and says so where a server starts', () => {
    const told = { out: 'the sources\n', error: expect.stringContaining('npm run build') };
    expect(run()).toEqual(told);
    expect(run('server')).toEqual(told);
    expect(run('version')).toEqual({ out: 'the sources\n', error: '' });
  });

  test('runs the build of these sources, and those after a change', () => {
    const main = join(buildFolder(root), 'main.js');
    mkdirSync(dirname(main), { recursive: true });
    writeFileSync(main, "console.log('the build');");
    expect(run('server')).toEqual({ out: 'the build\n', error: '' });
    put('src/server/main.ts', "console.log('changed sources');");
    expect(run('server').out).toBe('changed sources\n');
  });

  test('says what to do where nothing is installed', () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(run().error).toContain('the packages are not installed');
  });
});

test('an image without sources runs its only build', () => {
  rmSync(join(root, 'src'), { recursive: true });
  expect(findBuiltServer(root)).toBeNull();
  const main = putBuild('image');
  putBuild('.12-unfinished');
  expect(findBuiltServer(root)).toBe(main);
  putBuild('another');
  expect(findBuiltServer(root)).toBeNull();
});

test('removes unfinished builds, and all but the newest three of the others', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const [index, name] of names.entries()) {
    putBuild(name);
    utimesSync(join(buildsFolder(root), name), index, index);
  }
  putBuild('.12-killed');
  removeOldBuilds(root, 'b');
  expect(readdirSync(buildsFolder(root)).toSorted()).toEqual(['b', 'd', 'e']);
});

test('a build that fails leaves nothing behind, and says why', async () => {
  put('scripts/build-server.ts', "throw new Error('it cannot be built');");
  await expect(serverStep(root).work()).rejects.toThrow('it cannot be built');
  expect(readdirSync(buildsFolder(root))).toEqual([]);
  expect(existsSync(buildFolder(root))).toBe(false);
});
