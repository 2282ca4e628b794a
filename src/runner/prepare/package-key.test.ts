import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { keyOfPackages } from './package-key.ts';

const usual = {
  projectId: 1,
  program: 'python3',
  python: '3.11.2',
  text: 'requests==2.0\n',
  variables: {},
  version: 'one',
};

const keyOf = (given: Partial<typeof usual> = {}): string =>
  keyOfPackages({ ...usual, ...given }).digest('hex');

const isKept = (text: string): boolean => keyOf({ text }) === keyOf({ text, version: 'two' });

test('packages of an index are kept from commit to commit', () => {
  for (const line of [
    'requests',
    'requests==2.0',
    'my.pkg[extra,more] >= 2, < 3 ; python_version > "3" # why',
    'requests (>=2.0)',
    'requests~=2.0 --hash=sha256:abc',
    'requests==2.0 \\\n    --hash=sha256:abc',
    'requests @ https://example.com/requests.tar.gz',
    'git+https://example.com/tools.git@v1',
    'tools@https://example.com/tools.zip',
    'tools[cli] @ git+ssh://git@example.com/tools.git',
    '# ./tools',
  ]) {
    expect([line, isKept(line)]).toEqual([line, true]);
  }
});

test('packages that may come from the repository are installed again with each commit', () => {
  for (const line of [
    './tools',
    'libs/tools',
    'libs/tools ; python_version > "3"',
    'dist/greeting-1.0-py3-none-any.whl ; python_version > "3"',
    'greeting-1.0-py3-none-any.whl',
    'greeting-1.0.tar.bz2',
    'greeting-1.0.tar.gz --hash=sha256:abc',
    'tools@file:tools',
    'tools[cli',
    'tools @ file:tools',
    'my.tools[extra] @ file:./tools',
    'file:tools',
    'file:///srv/tools',
    'git+file:///srv/tools.git',
    '-r base.txt',
    '--requirement=base.txt',
    '-e tools',
    '${TOOLS}/x',
  ]) {
    expect([line, isKept(line)]).toEqual([line, false]);
  }
});

test('another Python, project, index, or value of a variable is another environment', () => {
  const text = 'requests==${VERSION}\n';
  expect(keyOf({ python: '3.13.0' })).not.toBe(keyOf());
  expect(keyOf({ projectId: 2 })).not.toBe(keyOf());
  expect(keyOf({ variables: { PIP_INDEX_URL: 'https://a' } })).not.toBe(keyOf());
  const withValue = (VERSION: string) => keyOf({ text, variables: { VERSION } as never });
  expect(withValue('1')).not.toBe(withValue('2'));
  expect(keyOf({ variables: { OTHER: '1' } as never })).toBe(keyOf());
  const constrained = { variables: { PIP_CONSTRAINT: 'limits.txt' } as never };
  expect(keyOf({ ...constrained, version: 'two' })).not.toBe(keyOf(constrained));
});

test('a file outside of the checkout counts with its state', async () => {
  const place = join(await folder(), 'tools-1.0.tar.gz');
  for (const text of [place, `file://${place}`, `tools @ file://${place}`, `-c ${place}`]) {
    await writeFile(place, 'one');
    const before = keyOf({ text });
    expect(keyOf({ text })).toBe(before);
    await writeFile(place, 'another');
    expect([text, keyOf({ text }) === before]).toEqual([text, false]);
  }
});
