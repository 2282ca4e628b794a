// Many waiting tasks of many templates, drained under all limits at once by fake programs that
// write down when they begin and end.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '#shared/api/tasks.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { TestApp } from './app.ts';
import { folder, seedProject, type Seed } from './seed.ts';
import { launch } from './tasks.ts';
import { until } from './until.ts';

export interface DrainPlan {
  /** The limit of each project; 0 means none. */
  projectLimits: number[];
  templatesEach: number;
  tasks: number;
  /** The template of each task: a number below the number of templates. */
  choose: (task: number) => number;
}

export interface Drained {
  tasks: Task[];
  /** What the programs have written, in the order of time. */
  moments: { step: 1 | -1; taskId: number }[];
  /** The flag by the id of the template. */
  isParallel: Map<number, boolean>;
  /** The limit by the id of the project. */
  limits: Map<number, number>;
}

/** Every third template allows parallel tasks. */
export async function drain(app: TestApp, plan: DrainPlan): Promise<Drained> {
  const seeds: Seed[] = [];
  const limits = new Map<number, number>();
  const isParallel = new Map<number, boolean>();
  const templates: { projectId: number; id: number }[] = [];
  const record = join(await folder(), 'record');
  // The name of a run begins with the id of its task.
  const say = (word: string): string => `echo "${word} \${SIGNALBOX_RUN%%-*}" >> '${record}'\n`;
  for (const limit of plan.projectLimits) {
    const seed = await seedProject(app.admin, { 'play.yml': say('begin') + say('end') });
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
  await app.app.runner.start();
  await untilDrained(app);
  const lists = await Promise.all(
    seeds.map(({ projectId }) =>
      app.admin.call(tasks.list, { params: { project_id: projectId }, query: {} }),
    ),
  );
  const moments = (await readFile(record, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([word, id]) => ({
      step: word === 'begin' ? (1 as const) : (-1 as const),
      taskId: Number(id),
    }));
  return { tasks: lists.flat().toSorted((a, b) => a.id - b.id), moments, isParallel, limits };
}

/** At least one task has to end in this time. */
const longestStandstillSeconds = 60;
// The queue is read seldom, so that the reads do not slow the tasks.
const readPauseMs = 200;

/** A queue that makes progress is not stuck, however slow the machine is. */
async function untilDrained({ ctx }: TestApp): Promise<void> {
  const count = async (): Promise<number> => {
    const left = ctx.db.selectFrom('tasks').where('end', 'is', null);
    const { length } = await left.select('id').execute();
    return length;
  };
  let left = await count();
  while (left > 0) {
    const before = left;
    const next = await until(async () => {
      await delay(readPauseMs);
      const now = await count();
      return now < before && { now };
    }, longestStandstillSeconds);
    left = next.now;
  }
}

/** The largest number of tasks that ran at the same moment, by their rows and by their programs. */
export function mostAtOnce(list: Task[], { moments }: Pick<Drained, 'moments'>): number {
  const steps = list.flatMap(({ start, end }) => [
    { time: String(start), step: 1 },
    { time: String(end), step: -1 },
  ]);
  // A task that ends in the millisecond in which another starts counts as ended before.
  steps.sort((a, b) => a.time.localeCompare(b.time) || a.step - b.step);
  const ids = new Set(list.map(({ id }) => id));
  const own = moments.filter(({ taskId }) => ids.has(taskId));
  return Math.max(highest(steps), highest(own));
}

function highest(steps: { step: number }[]): number {
  let now = 0;
  let most = 0;
  for (const { step } of steps) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}
