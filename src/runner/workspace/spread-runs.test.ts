import { spawnSync } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { spreadRuns } from './workspace.ts';

/** Whether ext4 takes the folder as the top of trees of their own. */
const isTop = (path: string): boolean =>
  /^\S*T\S* /.test(spawnSync('lsattr', ['-d', path], { encoding: 'utf8' }).stdout ?? '');

test('the folders of runs are spread where the file system can do that, and made anywhere', async () => {
  const dataDir = await folder();
  const other = join(dataDir, 'other');
  await mkdir(other);
  const canSpread = spawnSync('chattr', ['+T', other]).status === 0 && isTop(other);
  await spreadRuns({ dataDir });
  const runs = join(dataDir, 'runs');
  expect((await stat(runs)).mode & 0o777).toBe(0o700);
  expect(isTop(runs)).toBe(canSpread);
  await spreadRuns({ dataDir });
  expect(isTop(runs)).toBe(canSpread);
});
