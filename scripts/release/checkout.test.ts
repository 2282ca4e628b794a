import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../test/helpers/seed.ts';
import { readCheckout, reasonsAgainst } from './checkout.ts';

const changelog =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-25\n\n### Added\n\n- One\n';

async function repository(version: string): Promise<string> {
  const root = await folder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  await writeFile(join(root, 'package.json'), JSON.stringify({ version }));
  await writeFile(join(root, 'CHANGELOG.md'), changelog);
  git('init', '--quiet');
  git('add', '.');
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  git(...who, 'commit', '--quiet', '-m', 'One', '--date=2026-11-25T00:00:00Z');
  return root;
}

test('a checkout without changes whose version is in the changelog is released', async () => {
  const checkout = readCheckout(await repository('1.2.3'));
  expect(checkout).toMatchObject({ version: '1.2.3', notes: '### Added\n\n- One' });
  expect(checkout.time).toBeGreaterThan(1.7e9);
  expect(reasonsAgainst(checkout)).toEqual([]);
});

test('a changed checkout is refused, also for a file that git does not know', async () => {
  const root = await repository('1.2.3');
  await writeFile(join(root, 'new.txt'), '');
  const reasons = reasonsAgainst(readCheckout(root));
  expect(reasons).toEqual([expect.stringContaining('not committed:\n?? new.txt')]);
});

test('a version without a section in the changelog is refused', async () => {
  const checkout = readCheckout(await repository('1.2.4'));
  const words = 'CHANGELOG.md has no section "[1.2.4] - YYYY-MM-DD".';
  expect([checkout.notes, reasonsAgainst(checkout)]).toEqual(['', [words]]);
});
