// Whose turn it is: the rounds of taking, against a model that is too simple to be wrong.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { runSeed } from '../../../../../test/helpers/random.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { watch } from '../../../../../test/helpers/many/watch.ts';
import { placeHere } from '../../../../../test/helpers/runners.ts';
import { launch, untilStatus } from '../../../../../test/helpers/tasks.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { admitDue } from '../admission/admission.ts';
import { toRunnerTask } from '../runs/runner-tasks.ts';
import { endTask } from '../move-task.ts';

const serverLimit = 6;

interface Turn {
  id: number;
  projectId: number;
  templateId: number;
  projectLimit: number;
  isParallel: boolean;
}

async function launchMany(app: TestApp, seed: number): Promise<Turn[]> {
  const kinds: Omit<Turn, 'id'>[] = [];
  for (const projectLimit of [0, 1, 2, 4]) {
    const { projectId, template } = await seedProject(app.admin, null);
    const change = { max_parallel_tasks: projectLimit };
    await app.ctx.db.updateTable('projects').set(change).where('id', '=', projectId).execute();
    for (const isParallel of [false, true, false]) {
      const { id: templateId } = await template({ allow_parallel_tasks: isParallel });
      kinds.push({ projectId, templateId, projectLimit, isParallel });
    }
  }
  const turns: Turn[] = [];
  for (const index of fc.sample(fc.nat(kinds.length - 1), { seed, numRuns: 60 })) {
    const template = kinds[index];
    if (!template) continue;
    const { id } = await launch(app.admin, template.projectId, {
      template_id: template.templateId,
    });
    turns.push({ ...template, id });
  }
  return turns;
}

/** The first in the order of launch that nothing stands in the way of, one after the other. */
function modelRound(waiting: Turn[], running: Turn[]): number[] {
  const active = [...running];
  const taken: number[] = [];
  for (const next of waiting) {
    const inProject = active.filter(({ projectId }) => projectId === next.projectId);
    const isFree =
      active.length < serverLimit &&
      (next.projectLimit === 0 || inProject.length < next.projectLimit) &&
      (next.isParallel || inProject.every(({ templateId }) => templateId !== next.templateId));
    if (!isFree) continue;
    active.push(next);
    taken.push(next.id);
  }
  return taken;
}

async function round(app: Pick<TestApp, 'ctx'>): Promise<RunnerTask[]> {
  const claimed: RunnerTask[] = [];
  for await (const row of admitDue(app.ctx, placeHere)) claimed.push(toRunnerTask(app.ctx, row));
  return claimed;
}

describe('the queue', () => {
  test('takes in each round exactly what the limits allow, in the order of launch', async () => {
    const app = await testApp({ config: { maxParallelTasks: serverLimit } });
    const seed = runSeed;
    const all = await launchMany(app, seed);
    const ends = fc.sample(fc.nat(1000), { seed, numRuns: 200 });
    let waiting = all;
    let running: Turn[] = [];
    while (waiting.length > 0 || running.length > 0) {
      const expected = modelRound(waiting, running);
      const claimed = await round(app);
      expect([seed, claimed.map(({ id }) => id)]).toEqual([seed, expected]);
      running = [...running, ...waiting.filter(({ id }) => expected.includes(id))];
      waiting = waiting.filter(({ id }) => !expected.includes(id));
      // One or two end, whichever.
      for (let count = 1 + ((ends.pop() ?? 0) % 2); count > 0 && running.length > 0; count -= 1) {
        const [ended] = running.splice((ends.pop() ?? 0) % running.length, 1);
        if (ended) await endTask(app.ctx, { id: ended.id, project_id: ended.projectId }, 'error');
      }
    }
    expect(await round(app)).toEqual([]);
  });

  test('passes no limit when several servers take at once', async () => {
    const app = await testApp({ config: { maxParallelTasks: 0 } });
    const all = await launchMany(app, 4711);
    const rounds = await Promise.all(Array.from({ length: 5 }, () => round(app)));
    const ids = rounds.flat().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
    const taken = all.filter(({ id }) => ids.includes(id));
    const over = taken.filter(({ projectId, projectLimit, templateId, isParallel }) => {
      const inProject = taken.filter((other) => other.projectId === projectId);
      const ofTemplate = inProject.filter((other) => other.templateId === templateId);
      const isOver = projectLimit > 0 && inProject.length > projectLimit;
      return isOver || (!isParallel && ofTemplate.length > 1);
    });
    expect(over).toEqual([]);
  });

  test('lets two confirmed tasks of one template run one after the other', async () => {
    const { app, tasks } = await confirmed();
    const [first] = await round(app);
    expect(first?.id).toBe(tasks[0]?.id);
    expect(await round(app)).toEqual([]);
    if (first) await endTask(app.ctx, first, 'success');
    expect((await round(app)).map(({ id }) => id)).toEqual([tasks[1]?.id]);
  });
});

/** Two confirmed tasks of a template that let its tasks run beside each other until now. */
async function confirmed(): Promise<{ app: TestApp; tasks: Task[] }> {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template();
  const tasks: Task[] = [];
  for (let count = 0; count < 2; count += 1) {
    tasks.push(await launch(app.admin, seed.projectId, { template_id: template.id }));
  }
  await app.ctx.db.updateTable('tasks').set({ status: 'confirmed' }).execute();
  return { app, tasks };
}

test('5,000 waiting tasks of one template do not slow the start of others', async () => {
  const { app, seed } = await appWithProject(null);
  const [big, other] = [await seed.template(), await seed.template()];
  const first = await launch(app.admin, seed.projectId, { template_id: big.id });
  expect((await round(app)).map(({ id }) => id)).toEqual([first.id]);
  const watched = watch(app.ctx);
  /** The statements and rows that the start of one task takes. */
  const startOne = async () => {
    const { id } = await launch(app.admin, seed.projectId, { template_id: other.id });
    watched.take();
    const claimed = await round({ ctx: watched.ctx });
    const work = { statements: watched.take().length, rows: watched.takeRows() };
    expect(claimed.map((task) => task.id)).toEqual([id]);
    for (const task of claimed) await endTask(app.ctx, task, 'error');
    return work;
  };
  const before = await startOne();
  const row = await app.ctx.db.selectFrom('tasks').selectAll().limit(1).executeTakeFirstOrThrow();
  const { id: _id, ...copy } = { ...row, status: 'waiting' as const };
  for (let count = 0; count < 50; count += 1) {
    const rows = Array.from({ length: 100 }, () => copy);
    await app.ctx.db.insertInto('tasks').values(rows).execute();
  }
  const after = await startOne();
  expect(after.statements).toBe(before.statements);
  // Those that were looked at, of thousands.
  expect(after.rows - before.rows).toBeLessThan(100);
});

test('a task that waits for its template starts at once when the template allows it', async () => {
  const { app, seed } = await appWithProject({ 'play.yml': 'sleep 1000\n' }, { runner: true });
  const template = await seed.template();
  const body = { template_id: template.id };
  const first = await launch(app.admin, seed.projectId, body);
  await untilStatus(app.admin, first, 'running');
  const second = await launch(app.admin, seed.projectId, body);
  expect(second.waiting_for?.reason).toBe('template');
  const { inventory_id, environment_id } = template;
  await app.admin.call(templates.update, {
    params: { project_id: seed.projectId, template_id: template.id },
    body: {
      name: template.name,
      playbook: template.playbook,
      repository_id: template.repository_id,
      inventory_id: inventory_id ?? 0,
      environment_id: environment_id ?? 0,
      allow_parallel_tasks: true,
    },
  });
  expect((await untilStatus(app.admin, second, 'running')).waiting_for).toBeNull();
});
