// Slow: a runner is started and removed while it runs a task.
// Only on SQLite: what is proved is about the runner.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { testApp } from '../helpers/app.ts';
import { remoteRunner } from '../helpers/remote-runner.ts';
import { folder, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

test('a removed runner is rejected, its task ends, and it stops the programs of the task', async () => {
  const app = await testApp({ runner: true, config: { role: 'web' } });
  const address = await app.listen();
  const beat = join(await folder(), 'beat');
  const script = `echo begun; for i in $(seq 1 600); do echo >> ${beat}; sleep 0.1; done
`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const remote = await remoteRunner(app.admin, address);
  const { id } = await seed.template({ app: 'bash' });
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  await until(async () => (await logText(app.admin, task)).includes('begun'));
  await app.admin.call(runners.remove, { params: { runner_id: remote.id } });
  const lost = await untilFinished(app.admin, task);
  expect(lost.status).toBe('error');
  expect(await logText(app.admin, task)).toContain('Far away');
  expect(await remote.shutOut).toMatch(/unknown or was removed/);
  await remote.close();
  const beats = await readFile(beat, 'utf8');
  await delay(1000);
  expect(await readFile(beat, 'utf8')).toBe(beats);
  expect(await readdir(join(remote.dataDir, 'runs'), { recursive: true })).toEqual([]);
});
