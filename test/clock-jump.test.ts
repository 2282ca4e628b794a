// The clock of the machine is changed while tasks run.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from './helpers/app.ts';
import { folder, seedProject } from './helpers/seed.ts';
import { launch, logText, readTask, untilFinished, untilStatus } from './helpers/tasks.ts';

const hour = 60 * 60 * 1000;

test.each([
  ['forward', hour],
  ['back', -hour],
])('a clock that jumps %s by an hour ends, doubles and loses nothing', async (_way, jump) => {
  const app = await testApp({ runner: true });
  const gate = await folder();
  const seed = await seedProject(app.admin, {
    'play.yml': `echo before; until [ -e ${gate}/open ]; do sleep 0.05; done; echo after\n`,
  });
  const template = await seed.template({ timeout_s: 600, allow_parallel_tasks: false });
  const start = () => launch(app.admin, seed.projectId, { template_id: template.id });
  const running = await start();
  await untilStatus(app.admin, running, 'running');
  const waiting = await start();
  app.clock.advance(jump);
  // This task is launched after the jump: by the clock before the others, or long after them.
  const last = await start();
  expect((await readTask(app.admin, running)).status).toBe('running');
  expect((await readTask(app.admin, waiting)).status).toBe('waiting');
  await writeFile(join(gate, 'open'), '');
  for (const task of [running, waiting, last]) {
    const { status, start: began, end } = await untilFinished(app.admin, task);
    const log = await logText(app.admin, task);
    expect([status, log]).toEqual(['success', log]);
    expect(log.match(/^(before|after)$/gm)).toEqual(['before', 'after']);
    expect([began !== null, end !== null]).toEqual([true, true]);
  }
  const rows = await app.ctx.db.selectFrom('tasks').select('id').execute();
  expect(rows).toHaveLength(3);
});
