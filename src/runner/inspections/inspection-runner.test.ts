// With a program that takes long, in the place of ansible-inventory.

import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { noGitKeys } from '../api/run-secrets.ts';
import { InspectionRunner } from './inspection-runner.ts';

const inspection = { kind: 'inventory', type: 'static', inventory: 'host' } as const;

test('the end of the runner ends the looks under way, removes their folders and answers none', async () => {
  const programs = await folder();
  const program = join(programs, 'ansible-inventory');
  await writeFile(program, '#!/bin/sh\necho > started\nexec sleep 600\n');
  await chmod(program, 0o755);
  const config = await runnerSettings({ path: `${programs}:/usr/bin:/bin` });
  const inspections = new InspectionRunner(config);
  const seen = inspections.run(inspection, noGitKeys, 600_000);
  const runs = join(config.dataDir, 'runs');
  await vi.waitFor(async () => {
    const [run = ''] = await readdir(runs);
    expect(await readdir(join(runs, run))).toContain('started');
  });
  await inspections.close();
  expect(await readdir(runs)).toEqual([]);
  expect(await seen).toBeNull();
});

test('a look after the end is not begun', async () => {
  const config = await runnerSettings();
  const inspections = new InspectionRunner(config);
  await inspections.close();
  expect(await inspections.run(inspection, noGitKeys, 600_000)).toBeNull();
});
