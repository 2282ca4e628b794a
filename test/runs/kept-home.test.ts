// The home folder of a project, from its switch in the settings to the programs of tasks.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { testApp } from '../helpers/app.ts';
import { seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

test('is kept while the project says so, and removed when it no longer does', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, {
    'run.sh': 'echo "found: $(cat ~/notes 2>/dev/null)"; echo noted >> ~/notes\n',
  });
  const { id } = await seed.template({ app: 'bash', playbook: 'run.sh' });
  const params = { project_id: seed.projectId };
  const keep = (keep_home: boolean) =>
    app.admin.call(projects.update, { params, body: { name: 'Project', keep_home } });
  const run = async (): Promise<string> => {
    const task = await launch(app.admin, seed.projectId, { template_id: id });
    await untilFinished(app.admin, task);
    return /found: (.*)/.exec(await logText(app.admin, task))?.[1] ?? 'nothing was printed';
  };
  const homes = () => readdir(join(app.ctx.config.dataDir, 'homes')).catch(() => []);
  expect([await run(), await run()]).toEqual(['', '']);
  await keep(true);
  expect((await app.admin.call(projects.one, { params })).keep_home).toBe(true);
  expect([await run(), await run()]).toEqual(['', 'noted']);
  expect(await homes()).toEqual([String(seed.projectId)]);
  await keep(false);
  expect(await until(async () => (await homes()).length === 0)).toBe(true);
  expect(await run()).toBe('');
});
