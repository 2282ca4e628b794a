// A runner clears what it keeps for later runs when it is asked to, and never what a task uses.

import { mkdir, readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { testApp } from '../helpers/app.ts';
import { makeGate } from '../helpers/gate.ts';
import { seedProject } from '../helpers/seed.ts';
import { launch, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

test('what is kept goes, but what a running task uses only when it has ended', async () => {
  const app = await testApp({ runner: true });
  const { dataDir } = app.ctx.config;
  const list = (folder: string) => readdir(join(dataDir, folder)).catch((): string[] => []);
  const gate = await makeGate();
  const busy = await seedProject(app.admin, { 'play.yml': `${gate.wait}\n` });
  const idle = await seedProject(app.admin, { 'play.yml': 'echo done\n' });
  const run = async ({ projectId, template }: typeof busy) =>
    launch(app.admin, projectId, { template_id: (await template()).id });
  await untilFinished(app.admin, await run(idle));
  const [kept] = await list('mirrors');
  await mkdir(join(dataDir, 'galaxy', 'old', 'roles'), { recursive: true });
  const past = new Date(Date.now() - 60_000);
  await utimes(join(dataDir, 'galaxy', 'old'), past, past);
  const task = await untilStatus(app.admin, await run(busy), 'running');
  await mkdir(join(dataDir, 'venvs', 'of-now'), { recursive: true });
  const before = await list('mirrors');
  expect(before).toHaveLength(2);

  const [runner] = await app.admin.call(runners.list, {});
  await app.admin.call(runners.clearCache, { params: { runner_id: runner?.id ?? 0 } });
  await until(async () => (await list('galaxy')).length === 0);
  expect(await list('mirrors')).toEqual(before.filter((name) => name !== kept));
  expect(await list('venvs')).toEqual(['of-now']);

  await gate.open();
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  await until(async () => [...(await list('mirrors')), ...(await list('venvs'))].length === 0);
  // Once: what later runs keep stays.
  const note = () => readFile(join(dataDir, 'cache-cleared'), 'utf8').catch(() => '');
  await until(async () => (await note()) !== '');
  await untilFinished(app.admin, await run(idle));
  await untilFinished(app.admin, await run(idle));
  expect(await list('mirrors')).toHaveLength(1);
});
