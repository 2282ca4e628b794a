// Only on PostgreSQL: SQLite needs no other program for its copy.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInside } from '../../../../test/helpers/command.ts';
import { forms, olderInstallation } from '../../../../test/helpers/older-installation.ts';
import { pathWithout } from '../../../../test/helpers/path-without.ts';

test('an upgrade without the client programs of PostgreSQL is refused, and names the package', async () => {
  const made = await olderInstallation(forms.at(-2) ?? '');
  const settings = { ...made.settings, PATH: await pathWithout('pg_dump') };
  const { code, error } = await runInside(['migrate'], settings);
  expect([code, error]).toEqual([
    1,
    expect.stringMatching(
      /The upgrade was not begun.* pg_dump is not installed.*postgresql-client.*SIGNALBOX_UPGRADE_BACKUP=off/,
    ),
  ]);
  expect(await readdir(join(made.dataDir, 'upgrades'))).toEqual([]);
  const off = { ...settings, SIGNALBOX_UPGRADE_BACKUP: 'off' };
  expect((await runInside(['migrate'], off)).code).toBe(0);
});
