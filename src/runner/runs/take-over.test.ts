// What a runner does with the tasks of the one before it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchedLog } from '../../../test/helpers/kept-secrets.ts';
import { fakePrograms } from '../../../test/helpers/programs.ts';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { taskOf } from '../../../test/runner/given.ts';
import { createMemoryRunnerApi } from '../../../test/runner/memory-runner-api.ts';
import { memoryQueue } from '../../../test/runner/memory-queue.ts';
import { MemoryStore } from '../../../test/runner/memory-store.ts';
import type { TaskQueue } from '../api/task-queue.ts';
import { Runner } from './runner.ts';

test('a task that was left behind is begun once, also when the queue calls at that moment', async () => {
  const runs = join(await folder(), 'runs');
  await writeFile(runs, '');
  const store = new MemoryStore();
  const task = store.add(await taskOf(store, { files: { 'play.yml': `echo run >> ${runs}\n` } }));
  const plain = memoryQueue(store);
  // The runner before this one has taken it.
  for await (const taken of plain.receive([])) expect(taken.id).toBe(task.id);
  expect(task.isHeld).toBe(true);
  let call: () => void = () => undefined;
  const queue: TaskQueue = {
    ...plain,
    async *receive(held) {
      const left = await plain.listInterrupted();
      yield* left.filter(({ id }) => !held.includes(id));
    },
    onReady(listener) {
      call = listener;
      return () => undefined;
    },
    async listInterrupted() {
      call();
      const left = await plain.listInterrupted();
      await new Promise(setImmediate);
      return left;
    },
  };
  const config = await runnerSettings({ path: fakePrograms });
  const clock = { now: () => new Date() };
  const runner = new Runner(
    { config, clock, log: watchedLog(), runnerApi: createMemoryRunnerApi(store) },
    queue,
  );
  onTestFinished(() => runner.close());
  await runner.start();
  await until(() => task.status === 'success');
  expect(await readFile(runs, 'utf8')).toBe('run\n');
  const log = task.lines.map(({ output }) => output).join('\n');
  expect(log.match(/^Task \d+:/gm)).toHaveLength(1);
});
