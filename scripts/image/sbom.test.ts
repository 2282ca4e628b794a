import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bill, debianComponents, importedByConsole, neededBy } from './sbom.ts';

const checkout = join(import.meta.dirname, '../..');

test('the bill names what server and console are built from, and no tools', () => {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const all = JSON.parse(
    execFileSync('npm', args, { cwd: checkout, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as Bill;
  const console = importedByConsole(checkout);
  expect([...console]).toEqual(expect.arrayContaining(['react', '@mantine/core', 'zod']));
  const names = neededBy(all, new Set([...console, 'fastify'])).map(({ name }) => name);
  // The last two come with others only.
  const inside = ['fastify', 'react', '@mantine/core', 'avvio', 'scheduler'];
  expect(names).toEqual(expect.arrayContaining(inside));
  const tools = ['vitest', 'vite', 'typescript', 'oxlint', '@types/react', 'pg'];
  expect(names.filter((name) => tools.includes(name))).toEqual([]);
});

test('a package of Debian has its version in the form of package addresses', () => {
  expect(debianComponents('git 1:2.39.5-0+deb12u2 amd64\n')).toEqual([
    {
      'bom-ref': 'pkg:deb/debian/git@1%3A2.39.5-0%2Bdeb12u2?arch=amd64',
      type: 'library',
      name: 'git',
      version: '1:2.39.5-0+deb12u2',
      purl: 'pkg:deb/debian/git@1%3A2.39.5-0%2Bdeb12u2?arch=amd64',
    },
  ]);
});
