// What a runner does with the tasks of the one before it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { quietQueue } from '../helpers/quiet-queue.ts';
import { folder, seedProject } from '../helpers/seed.ts';
import { claimNext, launch, logText, untilFinished } from '../helpers/tasks.ts';
import { listHeld } from '../../src/server/automation/tasks/runner-tasks.ts';
import { localDesk } from '../../src/server/runner-desk/local-desk.ts';
import type { Queue } from '../../src/runner/desk/queue.ts';
import { Runner } from '../../src/runner/runs/runner.ts';

test('a task that was left behind is begun once, also when the queue calls at that moment', async () => {
  const app = await testApp();
  const runs = join(await folder(), 'runs');
  await writeFile(runs, '');
  const seed = await seedProject(app.admin, { 'play.yml': `echo run >> ${runs}\n` });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const claimed = await claimNext(app.ctx);
  expect(claimed?.id).toBe(task.id);
  let call: () => void = () => undefined;
  const queue: Queue = {
    ...quietQueue,
    async *take(held) {
      yield* await listHeld(app.ctx, null, { except: held });
    },
    onReady(listener) {
      call = listener;
      return () => undefined;
    },
    async listLeftBehind() {
      call();
      const left = await listHeld(app.ctx, null);
      await new Promise(setImmediate);
      return left;
    },
  };
  const { config, clock, log } = app.ctx;
  const runner = new Runner({ config, clock, log, desk: localDesk(app.ctx) }, queue);
  onTestFinished(() => runner.close());
  await runner.start();
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  expect(await readFile(runs, 'utf8')).toBe('run\n');
  expect((await logText(app.admin, task)).match(/^Task \d+:/gm)).toHaveLength(1);
});
