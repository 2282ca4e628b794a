import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { gateLines, type FileResult } from '../../scripts/gate-lines.ts';
import { gates } from './release-gate.ts';

const titles = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).match(/(?<=test\(\s*['"`])gate \d+(?=:)/g) ?? [];

test('each gate from 1 to 14 says what it is about and names files that exist', () => {
  expect(gates.map(({ number }) => number)).toEqual(Array.from({ length: 14 }, (_, n) => n + 1));
  for (const { number, about, files } of gates) {
    expect([number, about.length > 0, files.length > 0]).toEqual([number, true, true]);
    expect([number, files.filter((file) => !existsSync(file))]).toEqual([number, []]);
    expect([number, new Set(files).size]).toEqual([number, files.length]);
  }
});

test('a title that names a gate stands in a file of that gate, and every file here holds one', async () => {
  const named = [...new Set(gates.flatMap(({ files }) => files))];
  const security = (await readdir('test/security'))
    .filter((name) => name.endsWith('.test.ts') && name !== 'release-gate.test.ts')
    .map((name) => `test/security/${name}`);
  expect(security.filter((file) => !named.includes(file))).toEqual([]);
  const all = (
    await Promise.all(
      ['src', 'test'].map(async (folder) =>
        (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name}`),
      ),
    )
  )
    .flat()
    .filter((name) => /(?<!release-gate)\.(test|spec)\.ts$/.test(name));
  const wrong: string[] = [];
  let seen = 0;
  for (const file of all) {
    for (const title of await titles(file)) {
      seen += 1;
      const gate = gates.find(({ number }) => title === `gate ${number}`);
      if (!gate?.files.includes(file)) wrong.push(`${title} in ${file}`);
    }
  }
  expect(seen).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test('README.md leaves the table to the data, and CI prints the lines', async () => {
  expect(await readFile('test/security/README.md', 'utf8')).not.toMatch(/\w\.test|\| *\d+ *\|/);
  expect(await readFile('.ci/run', 'utf8')).toContain('scripts/gates.ts "$fast" "$slow"');
  expect(await readFile('vitest.config.ts', 'utf8')).toContain("'./scripts/gate-reporter.ts'");
});

const [one, two] = ['one.test.ts', 'two.test.ts'];
const example = [
  { number: 1, about: 'this', files: [one, two] },
  { number: 2, about: 'that', files: [two] },
];
const passed = { title: 'holds', state: 'passed' };

const linesOf = (...results: (Partial<FileResult> & { path: string })[]): string[] =>
  gateLines(
    example,
    results.map((result) => ({ isFailed: false, tests: [passed], ...result })),
  );

test('a gate is passed when all its files ran and every test of them passed', () => {
  expect(linesOf({ path: one }, { path: two }, { path: 'three.test.ts' })).toEqual([
    'gate  1  passed     this (tests: 2)',
    'gate  2  passed     that (tests: 1)',
  ]);
  const titled = ['gate 1: holds', 'gate 2: holds', 'gate 2: too'];
  const tests = titled.map((title) => ({ title, state: 'passed' }));
  expect(linesOf({ path: one }, { path: two, tests })).toEqual([
    'gate  1  passed     this (tests: 2)',
    'gate  2  passed     that (tests: 2)',
  ]);
});

test('a gate of which something did not run is not called passed', () => {
  expect(linesOf({ path: one })).toEqual([
    'gate  1  not whole  this (tests: 1 of 1, 1 of 2 files ran)',
  ]);
  const skipped = [passed, { title: 'left out', state: 'skipped' }];
  expect(linesOf({ path: two, tests: skipped }).at(-1)).toBe(
    'gate  2  not whole  that (tests: 1 of 2)',
  );
  expect(linesOf({ path: two, tests: [] }).at(-1)).toBe('gate  2  not whole  that (tests: 0 of 0)');
  expect(linesOf()).toEqual([]);
});

test('a gate is failed by one test, and by a file that cannot be loaded', () => {
  const tests = [passed, { title: 'breaks', state: 'failed' }];
  expect(linesOf({ path: two, isFailed: true, tests }).at(-1)).toBe(
    'gate  2  FAILED     that (tests: 1 of 2)',
  );
  expect(linesOf({ path: one }, { path: two, isFailed: true, tests: [] })).toEqual([
    'gate  1  FAILED     this (tests: 1)',
    'gate  2  FAILED     that (tests: 0 of 0)',
  ]);
  const ofAnother = [{ title: 'gate 2: breaks', state: 'failed' }];
  expect(linesOf({ path: one }, { path: two, isFailed: true, tests: ofAnother })[0]).toBe(
    'gate  1  passed     this (tests: 1)',
  );
});
