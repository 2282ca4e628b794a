import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkMemory, contentKey } from './check-memory.ts';

let root: string;

function put(path: string, content: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const open = () => checkMemory(root, join(root, 'node_modules/.cache'));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-check-'));
  put('src/server/app.ts', 'one');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('knows nothing of a step that has not passed', () => {
  expect(open().has('lint')).toBe(false);
  open().remember('format');
  expect(open().has('lint')).toBe(false);
});

test('knows a step that has passed with the same contents, older or newer', () => {
  open().remember('lint');
  put('src/server/app.ts', 'one');
  expect(open().has('lint')).toBe(true);
});

test.each([
  ['src/server/app.ts', 'two'],
  ['src/server/new.ts', ''],
  ['.oxlintrc.json', '{}'],
  ['deploy/new/tool.js', ''],
  ['src/server/data/row.ts', ''],
  ['package-lock.json', '{}'],
  ['node_modules/.package-lock.json', '{}'],
])('forgets it when %s changes', (path, content) => {
  open().remember('lint');
  put(path, content);
  expect(open().has('lint')).toBe(false);
});

test('forgets a step when a file is gone or has another name', () => {
  put('src/server/old.ts', 'old');
  open().remember('lint');
  rmSync(join(root, 'src/server/old.ts'));
  expect(open().has('lint')).toBe(false);
  put('src/server/older.ts', 'old');
  expect(open().has('lint')).toBe(false);
});

test('forgets a step when a link leads elsewhere', () => {
  symlinkSync('app.ts', join(root, 'src/server/link.ts'));
  open().remember('lint');
  rmSync(join(root, 'src/server/link.ts'));
  symlinkSync('other.ts', join(root, 'src/server/link.ts'));
  expect(open().has('lint')).toBe(false);
});

test('keeps a step when only words, pictures or built files have changed', () => {
  open().remember('lint');
  put('docs/style.md', 'words');
  put('docs/images/task.webp', 'picture');
  put('dist/web/index.html', 'made');
  expect(open().has('lint')).toBe(true);
});

test('does not remember a step during which a file has changed', () => {
  const memory = open();
  put('src/server/app.ts', 'two');
  memory.remember('lint');
  expect(open().has('lint')).toBe(false);
});

test('tells apart files whose names and contents give the same text', () => {
  put('a', 'b');
  const before = contentKey(root);
  rmSync(join(root, 'a'));
  put('ab', '');
  expect(contentKey(root)).not.toBe(before);
});
