// Many waiting tasks of many templates, drained under all limits at once by fake programs.

import type { Task } from '#shared/api/tasks.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { TestApp } from './app.ts';
import { seedProject, type Seed } from './seed.ts';
import { launch } from './tasks.ts';
import { until } from './until.ts';

export interface DrainPlan {
  /** The limit of each project; 0: none. */
  projectLimits: number[];
  templatesEach: number;
  tasks: number;
  /** Which task is of which template: a number below the number of templates. */
  choose: (task: number) => number;
}

export interface Drained {
  tasks: Task[];
  /** By template id. */
  isParallel: Map<number, boolean>;
  /** By project id. */
  limits: Map<number, number>;
  seconds: number;
}

/** Every third template lets its tasks run beside each other. */
export async function drain(app: TestApp, plan: DrainPlan): Promise<Drained> {
  const seeds: Seed[] = [];
  const limits = new Map<number, number>();
  const isParallel = new Map<number, boolean>();
  const templates: { projectId: number; id: number }[] = [];
  for (const limit of plan.projectLimits) {
    const seed = await seedProject(app.admin, { 'play.yml': ':\n' });
    const change = { max_parallel_tasks: limit };
    await app.ctx.db.updateTable('projects').set(change).where('id', '=', seed.projectId).execute();
    limits.set(seed.projectId, limit);
    seeds.push(seed);
  }
  for (let count = 0; count < plan.templatesEach; count += 1) {
    for (const seed of seeds) {
      const allow = templates.length % 3 === 0;
      const { id } = await seed.template({ allow_parallel_tasks: allow });
      templates.push({ projectId: seed.projectId, id });
      isParallel.set(id, allow);
    }
  }
  for (let count = 0; count < plan.tasks; count += 1) {
    const template = templates[plan.choose(count)];
    if (template) await launch(app.admin, template.projectId, { template_id: template.id });
  }
  const begun = performance.now();
  await app.app.runner.start();
  const left = () =>
    app.ctx.db
      .selectFrom('tasks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('end', 'is', null)
      .executeTakeFirstOrThrow();
  await until(async () => (await left()).count === 0, 180);
  const seconds = (performance.now() - begun) / 1000;
  const lists = await Promise.all(
    seeds.map(({ projectId }) =>
      app.admin.call(tasks.list, { params: { project_id: projectId }, query: {} }),
    ),
  );
  return { tasks: lists.flat().toSorted((a, b) => a.id - b.id), isParallel, limits, seconds };
}

/** How many of the tasks ran at the same moment, at most. */
export function mostAtOnce(list: Task[]): number {
  const moments = list.flatMap(({ start, end }) => [
    { time: String(start), step: 1 },
    { time: String(end), step: -1 },
  ]);
  // One that ends in the millisecond in which another starts has ended before.
  moments.sort((a, b) => a.time.localeCompare(b.time) || a.step - b.step);
  let now = 0;
  let most = 0;
  for (const { step } of moments) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}
