import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { findStrayWorkspaces, findWorkspace, makeWorkspace } from './workspace.ts';

test('the folder of a run of another installation is not that of a task with the same id', async () => {
  const config = await runnerSettings();
  const claim = (id: string): Promise<void> =>
    writeFile(join(config.dataDir, 'installation'), `${id}\n`);
  await claim('one');
  const { dir } = await makeWorkspace(config, 7);
  expect((await findWorkspace(config, 7))?.dir).toBe(dir);
  expect(await findStrayWorkspaces(config, [7])).toEqual([]);
  await claim('other');
  expect(await findWorkspace(config, 7)).toBeNull();
  expect(await findStrayWorkspaces(config, [7])).toMatchObject([{ dir }]);
});
