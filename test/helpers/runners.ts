// Makes runners that exist without a process, and tasks that ask for tags.

import type { Task } from '#shared/api/tasks.ts';
import { listRunnerCapacities } from '../../src/server/runners/runner-capacity.ts';
import { countTasksOf, enterRunner } from '../../src/server/runners/runners.store.ts';
import {
  admitDue,
  type ListPlaces,
} from '../../src/server/automation/tasks/admission/admission.ts';
import type { TestApp } from './app.ts';
import type { Seed } from './seed.ts';
import { launch, readTask } from './tasks.ts';

/** Launches a task of a new template that asks for these tags. */
export async function startTagged(app: TestApp, seed: Seed, tags: string[]): Promise<Task> {
  const { id } = await seed.template({ runner_tags: tags, allow_parallel_tasks: true });
  return launch(app.admin, seed.projectId, { template_id: id });
}

export async function changeTags(app: TestApp, task: Task, tags: string[]): Promise<void> {
  const change = { runner_tags: JSON.stringify(tags) };
  await app.ctx.db
    .updateTable('templates')
    .set(change)
    .where('id', '=', task.template_id)
    .execute();
}

export const waitingFor = async (app: TestApp, task: Task) => {
  const { waiting_for: reason } = await readTask(app.admin, task);
  return reason && [reason.reason, reason.tags, reason.limit];
};

/** Adds a server that is available, whatever other servers share the database. */
export async function addRunner({ ctx }: TestApp, tags: string[], slots: number): Promise<number> {
  const id = await enterRunner(ctx.db, {
    uid: `${tags.join()} ${slots}`,
    session: '',
    name: 'another',
    role: 'runner',
    version: '0',
    max_parallel_tasks: slots,
    tags: tags,
  });
  const change = { last_seen: '2999-01-01T00:00:00.000Z' };
  await ctx.db.updateTable('runners').set(change).where('id', '=', id).execute();
  return id;
}

/** One available runner that needs no row, on both engines. */
export const placeHere: ListPlaces = async ({ config, db }) => [
  {
    id: null,
    name: config.serverName,
    projectId: null,
    tags: [],
    slots: config.maxParallelTasks || Infinity,
    running: await countTasksOf(db, null),
    hasRoom: true,
    kinds: ['server', 'tools'],
  },
];

/** All runners on any engine, except the runner beside the server. */
const amongRunners: ListPlaces = async (ctx) =>
  (await listRunnerCapacities(ctx)).filter(({ id }) => id !== null);

/** Gives waiting tasks to runners once; returns which task was given to which runner. */
export async function round({ ctx }: TestApp, places = amongRunners) {
  const ids: number[] = [];
  for await (const { id } of admitDue(ctx, places)) ids.push(id);
  const rows = await ctx.db.selectFrom('tasks').select(['id', 'runner_id']).execute();
  const owners = new Map(rows.map((row) => [row.id, row.runner_id]));
  return ids.map((id) => [id, owners.get(id)]);
}
