import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { readLocalRefs } from './local-refs.ts';

const make = (): Promise<string> => gitRepository({ 'play.yml': 'echo one\n' });

const changes: [string, (at: string) => Promise<unknown>][] = [
  ['a commit', (at) => git(at, 'commit', '--quiet', '--allow-empty', '--message', 'More')],
  ['a branch', (at) => git(at, 'branch', 'feature/one')],
  ['a tag', (at) => git(at, 'tag', 'v1')],
  ['a switch to another branch', (at) => git(at, 'switch', '--quiet', '--create', 'other')],
  ['packed refs', (at) => git(at, 'pack-refs', '--all')],
];

test.each(changes)('%s changes what is read', async (_, change) => {
  const at = await make();
  const before = readLocalRefs(at);
  expect(before).toMatch(/[0-9a-f]{40}/);
  expect(readLocalRefs(at)).toBe(before);
  await change(at);
  expect(readLocalRefs(at)).not.toBe(before);
});

test('a bare repository is read, and one whose branch was packed changes with a new commit', async () => {
  const at = await make();
  const bare = join(await folder(), 'bare.git');
  await git(at, 'clone', '--quiet', '--bare', at, bare);
  await git(bare, 'pack-refs', '--all');
  const before = readLocalRefs(bare);
  expect(before).toMatch(/[0-9a-f]{40}/);
  await git(at, 'commit', '--quiet', '--allow-empty', '--message', 'More');
  await git(at, 'push', '--quiet', bare, 'HEAD:main');
  expect(readLocalRefs(bare)).not.toBe(before);
});

const unknown: [string, (at: string) => Promise<unknown>][] = [
  ['has a HEAD that is no branch', (at) => git(at, 'symbolic-ref', 'HEAD', 'refs/elsewhere/main')],
  [
    'has a branch that follows a ref elsewhere',
    (at) => git(at, 'symbolic-ref', 'refs/heads/alias', 'refs/elsewhere/main'),
  ],
  ['keeps its refs in a reftable', (at) => mkdir(join(at, '.git/reftable'))],
  ['has a link out of it among its refs', (at) => linkTo(at, '/etc/hostname')],
  [
    'has a pipe as a ref',
    (at) => Promise.resolve(execFileSync('mkfifo', [join(at, '.git/refs/heads/pipe')])),
  ],
  ['has very many refs', writeMany],
  ['has no refs', (at) => rm(join(at, '.git/refs'), { recursive: true })],
];

const linkTo = (at: string, target: string): Promise<void> =>
  symlink(target, join(at, '.git/refs/heads/link'));

async function writeMany(at: string): Promise<void> {
  const place = join(at, '.git/refs/tags');
  for (let count = 0; count < 60; count += 1) await writeFile(join(place, `v${count}`), '\n');
}

test.each(unknown)('git is asked about a repository that %s', async (_, change) => {
  const at = await make();
  expect(readLocalRefs(at)).not.toBeNull();
  await change(at);
  expect(readLocalRefs(at)).toBeNull();
});

test('git is asked about a worktree, whose branches lie elsewhere', async () => {
  const at = await make();
  const worktree = join(await folder(), 'worktree');
  await git(at, 'worktree', 'add', '--quiet', '-b', 'other', worktree);
  expect(readLocalRefs(worktree)).toBeNull();
});
