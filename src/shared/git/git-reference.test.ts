import { expect, test } from 'vitest';
import { readGitReference } from './git-reference.ts';

const hash = 'a1'.repeat(20);

test('takes exact names of branches and tags, and full commits', () => {
  const either = ['refs/heads/release/1.0', 'refs/tags/release/1.0'];
  expect(readGitReference('release/1.0')).toEqual({ kind: 'name', refs: either });
  for (const ref of ['refs/heads/main', 'refs/tags/v1']) {
    expect(readGitReference(ref)).toEqual({ kind: 'name', refs: [ref] });
  }
  for (const commit of [hash, hash.toUpperCase()]) {
    expect(readGitReference(commit)).toEqual({ kind: 'commit', hash });
  }
  expect(readGitReference('b2'.repeat(32))?.kind).toBe('commit');
});

const revisions = [
  'main^{/a}',
  'main~3',
  'main^',
  'main^2',
  'HEAD',
  'HEAD@{1}',
  '@',
  '@{-1}',
  'main@{upstream}',
  ':/words',
  ':play.yml',
  'main:play.yml',
  'a..b',
  'a...b',
  '^main',
  'refs/remotes/origin/main',
  'refs/signalbox/head',
  'refs/heads/',
  'refs/heads/main~1',
  'refs/*',
  'ma?n',
  '[a]',
  '-x',
  '--upload-pack=x',
  'a b',
  'a\tb',
  'a\\b',
  '/main',
  'main/',
  'a//b',
  '.hidden',
  'a/.b',
  'main.lock',
  'main.',
  '',
];

test.each(revisions)('takes no revision: %j', (text) => {
  expect(readGitReference(text)).toBe(null);
});

const names = ['ma{in}', 'a@b', 'feature#12', 'ümlaut', 'a.lock.b', '@a', 'Head', 'a1b2c3d'];

test.each(names)('takes what git takes as a name: %j', (name) => {
  expect(readGitReference(name)?.kind).toBe('name');
});
