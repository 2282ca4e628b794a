import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { ConfigError } from '../config-error.ts';
import { holdFolder } from './folder-lock.ts';

test('a folder is locked once, until it is given back', async () => {
  const dataDir = await folder();
  const giveBack = await holdFolder({ dataDir });
  await expect(holdFolder({ dataDir })).rejects.toThrow(/^Another server works on the data folder/);
  giveBack();
  const again = await holdFolder({ dataDir });
  again();
});

test('a file that cannot be a lock is named, with what to do', async () => {
  const dataDir = await folder();
  await writeFile(join(dataDir, 'server.lock'), 'no database of SQLite\n'.repeat(100));
  const locked = holdFolder({ dataDir });
  await expect(locked).rejects.toBeInstanceOf(ConfigError);
  await expect(locked).rejects.toThrow(`cannot be locked with ${join(dataDir, 'server.lock')}: `);
});

test('a folder in the place of the lock is a refusal of the system', async () => {
  const dataDir = await folder();
  await mkdir(join(dataDir, 'server.lock'));
  await expect(holdFolder({ dataDir })).rejects.toMatchObject({ code: 'EISDIR', syscall: 'open' });
});
