import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isNewerAnsible, triedAnsible } from '#shared/tried-ansible.ts';

test.each([
  ['ansible [core 2.14.18]\n  config file = None', false],
  ['ansible [core 2.22.7]', false],
  ['ansible [core 2.23.0b1]', true],
  ['ansible [core 3.0.0]', true],
  ['ansible 2.9.27', false],
  ['', false],
])('%s is newer than what was tried: %s', (printed, expected) => {
  expect(isNewerAnsible(printed)).toBe(expected);
});

const releaseOf = (version = ''): string => version.split('.').slice(0, 2).join('.');

test('the callback says which versions it was tried with', () => {
  const plugin = new URL('../src/runner/apps/callback/signalbox_progress.py', import.meta.url);
  const [oldest, newest] = [triedAnsible.at(0)?.version, triedAnsible.at(-1)?.version];
  expect(readFileSync(plugin, 'utf8')).toContain(
    `ansible-core ${releaseOf(oldest)} to ${releaseOf(newest)}`,
  );
});

test('the guide lists all versions that were tried', () => {
  const page = readFileSync(new URL('../docs/guide/versions.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| (\d\S+) +\| (\d\S+)/gm)].map(([, version, python]) => ({
    version,
    python,
  }));
  expect(listed).toEqual(triedAnsible);
});
