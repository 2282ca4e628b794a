// Also on PostgreSQL: the tasks that a runner is given come from the database.
// A runner is given its tasks in the same way by a server over the line and by the server in memory
// that the tests of the runner use.

import { describe, expect, onTestFinished, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { tasks } from '#shared/api/tasks.ts';
import { createServerClient } from '../../src/runner/client/server-client.ts';
import type { TaskQueue, StopRequest } from '../../src/runner/api/task-queue.ts';
import { createDispatch } from '../../src/server/runner-api/dispatch.ts';
import { remoteQueue } from '../helpers/remote-queue.ts';
import { testApp } from '../helpers/app.ts';
import { enterWithKey } from '../helpers/runner-caller.ts';
import { seedProject } from '../helpers/seed.ts';
import { launch } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';
import { taskOf } from '../runner/given.ts';
import { memoryQueue } from '../runner/memory-queue.ts';
import { MemoryStore } from '../runner/memory-store.ts';

/** A runner's queue, and what people do with the tasks. */
interface Case {
  queue: TaskQueue;
  /** Returns the id of a new task. */
  launch: () => Promise<number>;
  stop: (id: number, force: boolean) => Promise<unknown>;
  /** Gives a task to another runner. */
  takeAway: (id: number) => Promise<unknown>;
  /** Changes or removes a repository. */
  changeRepository: () => Promise<unknown>;
  /** The queue of the same runner after it has ended and begun again. */
  again: () => Promise<TaskQueue>;
}

async function overTheLine(): Promise<Case> {
  const app = await testApp({ config: { role: 'web' } });
  const dispatch = createDispatch(app.ctx);
  dispatch.start();
  onTestFinished(() => dispatch.close());
  const { credential, runnerId } = await enterWithKey(app);
  const seed = await seedProject(app.admin, null);
  const template = await seed.template({ allow_parallel_tasks: true });
  const ask = createServerClient({ url: await app.listen() }, credential);
  const open = async (): Promise<TaskQueue> => {
    const queue = remoteQueue(ask);
    await queue.start();
    return queue;
  };
  let queue = await open();
  onTestFinished(() => queue.close());
  const row = (id: number) => app.ctx.db.updateTable('tasks').where('id', '=', id);
  return {
    queue,
    launch: async () => (await launch(app.admin, seed.projectId, { template_id: template.id })).id,
    stop: (id, force) =>
      app.admin.call(tasks.stop, {
        params: { project_id: seed.projectId, task_id: id },
        body: { force },
      }),
    takeAway: (id) => row(id).set({ lease: 99 }).where('runner_id', '=', runnerId).execute(),
    changeRepository: () =>
      app.admin.call(repositories.update, {
        params: { project_id: seed.projectId, repository_id: seed.repositoryId },
        body: {
          name: 'Code',
          git_url: 'https://example.com/moved.git',
          git_branch: 'main',
          ssh_key_id: seed.keyId,
        },
      }),
    async again() {
      await queue.close();
      queue = await open();
      return queue;
    },
  };
}

async function inMemory(): Promise<Case> {
  const store = new MemoryStore();
  const repository = '/srv/code';
  return {
    queue: memoryQueue(store),
    launch: async () => store.add(await taskOf(store, { repository })).id,
    stop: async (id, force) => store.stop(id, force),
    takeAway: async (id) => store.change(store.find(id), { lease: 99 }),
    changeRepository: async () => store.removeRepository(repository),
    again: async () => memoryQueue(store),
  };
}

async function taken(queue: TaskQueue, held: RunnerTask[] = []): Promise<RunnerTask[]> {
  const found: RunnerTask[] = [];
  for await (const task of queue.receive(held.map(({ id }) => id))) found.push(task);
  return found;
}

/** The next tasks, of which there is at least one. */
const untilTaken = (queue: TaskQueue, held: RunnerTask[] = []): Promise<RunnerTask[]> =>
  until(async () => {
    const found = await taken(queue, held);
    return found.length > 0 && found;
  });

const places: [name: string, begin: () => Promise<Case>][] = [
  ['a server over the line', overTheLine],
  ['a server in memory', inMemory],
];

describe.each(places)('%s', (_name, begin) => {
  test('gives each waiting task once, and calls when there is one', async () => {
    const { queue, launch: add } = await begin();
    let calls = 0;
    queue.onReady(() => {
      calls += 1;
    });
    expect(await taken(queue)).toEqual([]);
    const first = await add();
    const [task, ...others] = await untilTaken(queue);
    if (!task) throw new Error('No task was given.');
    expect([task.id, task.status, task.lease, others]).toEqual([first, 'starting', 1, []]);
    expect(calls).toBeGreaterThan(0);
    const second = await add();
    const next = await untilTaken(queue, [task]);
    expect(next.map(({ id }) => id)).toEqual([second]);
    expect(await taken(queue, [task, ...next])).toEqual([]);
  });

  test('tells of the stop of a task that the runner holds, and with which force', async () => {
    const { queue, launch: add, stop } = await begin();
    const stops: StopRequest[] = [];
    queue.onStop((one) => stops.push(one));
    const id = await add();
    await untilTaken(queue);
    await stop(id, false);
    await until(() => stops.length > 0);
    await stop(id, true);
    await until(() => stops.some(({ force }) => force));
    expect(stops[0]).toEqual({ taskId: id, force: false });
    expect(new Set(stops.map(({ taskId }) => taskId))).toEqual(new Set([id]));
  });

  test('says which tasks belong to another runner by now', async () => {
    const { queue, launch: add, takeAway } = await begin();
    const ids = [await add(), await add()];
    let held: RunnerTask[] = [];
    await until(async () => {
      held = [...held, ...(await taken(queue, held))];
      return held.length === ids.length;
    });
    expect(await queue.listRevoked(held)).toEqual([]);
    await takeAway(ids[0] ?? 0);
    const lost = await until(async () => {
      const found = await queue.listRevoked(held);
      return found.length > 0 && found;
    });
    expect(lost).toEqual([ids[0]]);
  });

  test('gives back to a runner that has begun again what it held', async () => {
    const { queue, launch: add, again } = await begin();
    const id = await add();
    const [task] = await untilTaken(queue);
    const next = await again();
    const left = await next.listInterrupted();
    expect(left.map((one) => [one.id, one.status])).toEqual([[id, task?.status]]);
    expect(await next.listParked()).toEqual([]);
  });

  test('calls when repositories have changed, and no more once the listener is removed', async () => {
    const { queue, changeRepository } = await begin();
    let [kept, removed] = [0, 0];
    queue.onChange(() => {
      kept += 1;
    });
    const end = queue.onChange(() => {
      removed += 1;
    });
    end();
    await changeRepository();
    await until(() => kept > 0);
    expect(removed).toBe(0);
  });
});
