import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fingerprint } from '../../bin/built-server.js';
import { isStale, takeLock } from './lock.js';
import { isNewEnough, isSatisfied } from './packages.js';
import { advice } from './programs.js';
import { findProgram, run } from './run.js';
import { webSources, webStep } from './web.js';

let root: string;

function put(path: string, content: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-set-up-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('the lock', () => {
  const lock = () => join(root, '.setup', 'lock');
  const endedPid = 2 ** 22 + 1;

  test('lets one in at a time', async () => {
    const order: string[] = [];
    const release = await takeLock(root);
    const second = takeLock(root, { pollMs: 5 });
    void second.finally(() => order.push('second'));
    order.push('first');
    release();
    (await second)();
    expect(order).toEqual(['first', 'second']);
  });

  test('is taken from a process that has ended', async () => {
    put('.setup/lock', JSON.stringify({ pid: endedPid, host: hostname() }));
    const release = await takeLock(root);
    expect(readFileSync(lock(), 'utf8')).toContain(`"pid":${process.pid}`);
    release();
  });

  test('is taken from another machine only when nobody has touched it for long', () => {
    const content = JSON.stringify({ pid: endedPid, host: 'elsewhere.example' });
    const file = put('.setup/lock', content);
    expect(isStale(file, content)).toBe(false);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file, longAgo, longAgo);
    expect(isStale(file, content)).toBe(true);
  });

  test('is not released when somebody else holds it by now', async () => {
    const release = await takeLock(root);
    put('.setup/lock', 'of somebody else');
    release();
    expect(readFileSync(lock(), 'utf8')).toBe('of somebody else');
  });
});

describe('the packages', () => {
  const wanted = {
    '': {},
    'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true },
  };

  function putLocks(found: object): void {
    put('package-lock.json', JSON.stringify({ packages: wanted }));
    put('node_modules/.package-lock.json', JSON.stringify({ packages: found }));
    put('node_modules/.bin/node', '');
  }

  test('need no install when npm has installed exactly these', () => {
    putLocks({ 'node_modules/zod': wanted['node_modules/zod'] });
    expect(isSatisfied(root)).toBe(true);
  });

  test.each([
    ['one is missing', {}],
    ['one has another version', { 'node_modules/zod': { version: '3.0.0' } }],
    [
      'there is one too many',
      { 'node_modules/zod': wanted['node_modules/zod'], 'node_modules/x': { version: '1.0.0' } },
    ],
  ])('need one when %s', (_title, found) => {
    putLocks(found);
    expect(isSatisfied(root)).toBe(false);
  });

  test('need one when an earlier one was cut short', () => {
    put('package-lock.json', JSON.stringify({ packages: wanted }));
    expect(isSatisfied(root)).toBe(false);
  });

  test.each([
    ['24.12.0', true],
    ['24.11.1', false],
    ['25.0.0', true],
    ['20.20.2', false],
  ])('run on Node %s: %s', (version, answer) => {
    expect(isNewEnough(version)).toBe(answer);
  });
});

describe('the console', () => {
  test('is built again when a source changes, not when a test does', () => {
    const source = put('src/web/main.tsx', 'one');
    const before = fingerprint(root, webSources);
    put('src/web/main.test.tsx', 'a test');
    expect(fingerprint(root, webSources)).toBe(before);
    writeFileSync(source, 'another');
    expect(fingerprint(root, webSources)).not.toBe(before);
  });

  test.each(['src/shared/errors.ts', 'scripts/words.ts', 'package.json'])(
    'is built again when %s changes',
    (path) => {
      const before = fingerprint(root, webSources);
      put(path, 'another');
      expect(fingerprint(root, webSources)).not.toBe(before);
    },
  );

  test('is not built again when it was built from these sources', () => {
    put('src/web/main.tsx', 'one');
    expect(webStep(root).hasWork()).toBe(true);
    put('dist/web/.built-from', fingerprint(root, webSources));
    expect(webStep(root).hasWork()).toBe(false);
  });
});

test('says which packages bring the programs that are missing', () => {
  const text = advice(
    [{ name: 'ansible-playbook', debianPackage: 'ansible-core', isThere: () => false }],
    'E: no network',
  );
  expect(text).toContain('Missing: ansible-playbook.');
  expect(text).toContain('E: no network');
  expect(text).toContain('ansible-core');
});

test('finds a program on a path, and only there', () => {
  expect(findProgram('sh', '/nowhere:/bin')).toBe('/bin/sh');
  expect(findProgram('sh', '/nowhere')).toBeNull();
});

test('reports without colours what a failed program has printed', async () => {
  const script = 'console.log("\\u001b[31mred\\u001b[0m"); process.exitCode = 3;';
  const result = await run('trying', process.execPath, ['-e', script]);
  expect(result).toEqual({ succeeded: false, output: '    red' });
  expect(await run('trying', '/nowhere/program', [])).toMatchObject({ succeeded: false });
});
