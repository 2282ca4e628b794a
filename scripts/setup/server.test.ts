import {
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
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  put('src/runner/programs/supervisor.sh', 'one');
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
  'src/runner/programs/supervisor.sh',
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

test('an image without sources runs its one build', () => {
  rmSync(join(root, 'src'), { recursive: true });
  expect(findBuiltServer(root)).toBeNull();
  const main = putBuild('image');
  putBuild('.12-unfinished');
  expect(findBuiltServer(root)).toBe(main);
  putBuild('another');
  expect(findBuiltServer(root)).toBeNull();
});

test('builds that were not finished go, and of the others the newest three stay', () => {
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
