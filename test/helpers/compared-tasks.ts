// Tasks that a runner has run and that are compared with each other, in tests.

import type { CallOf } from '#shared/api/endpoint.ts';
import type { FailureGroup } from '#shared/api/run-results.ts';
import { inventories } from '#shared/api/inventories.ts';
import type { TaskChange, TaskTools } from '#shared/api/task-changes.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { updateFailures } from '../../src/server/automation/tasks/results/task-hosts.store.ts';
import { recordUsedKeys } from '../../src/server/automation/tasks/runs/run-keys.ts';
import {
  beginStep,
  recordCommit,
  recordTools,
} from '../../src/server/automation/tasks/runs/runner-tasks.ts';
import { endTask } from '../../src/server/automation/tasks/move-task.ts';
import { type Caller, type TestApp } from './app.ts';
import { appWithProject } from './app-with-project.ts';
import { type Seed } from './seed.ts';
import { claimNext, launch } from './tasks.ts';

interface Ended {
  to?: 'success' | 'error';
  commit?: string;
  tools?: TaskTools;
  failures?: FailureGroup[];
}

type Launch = Partial<CallOf<typeof tasks.start>['body']>;

const survey = (name: string) => ({
  name,
  title: name,
  type: '' as const,
  required: false,
  values: null,
});

export async function comparedTasks() {
  const { app, seed } = await appWithProject();
  const template = await seed.template({
    allow_override_limit_in_task: true,
    allow_override_inventory_in_task: true,
    allow_override_branch_in_task: true,
    survey_vars: [survey('size')],
  });
  const run = (ended: Ended = {}, asked: Launch = {}, caller = app.admin) =>
    runOne(app, { seed, caller, ended, asked: { template_id: template.id, ...asked } });
  const changes = (task: Task, caller = app.admin) =>
    caller.call(tasks.changes, { params: { project_id: task.project_id, task_id: task.id } });
  /** What has changed, in short: kind, how, what, before and after. */
  const told = async (task: Task, caller?: Caller) =>
    (await changes(task, caller)).changes.map(short);
  return { app, seed, template, run, changes, told };
}

const short = ({ kind, how, what, before, after }: TaskChange) => [kind, how, what, before, after];

interface Run {
  seed: Seed;
  caller: Caller;
  ended: Ended;
  asked: CallOf<typeof tasks.start>['body'];
}

/** Launches a task and ends it, as a runner does that reports all of this. */
export async function runOne(app: TestApp, { seed, caller, ended, asked }: Run): Promise<Task> {
  app.clock.advance(60_000);
  const task = await launch(caller, seed.projectId, asked);
  const held = await claimNext(app.ctx);
  if (held?.id !== task.id) throw new Error('The task was not taken.');
  const { ctx } = app;
  const { to = 'success', commit, tools, failures } = ended;
  await recordUsedKeys(ctx, held);
  if (commit) await recordCommit(ctx, held, { hash: commit, message: 'Commit' });
  await beginStep(ctx, held, { step: 1, commands: [] });
  if (tools) await recordTools(ctx, held, tools);
  if (failures) await updateFailures(ctx.db, held, failures);
  await endTask(ctx, held, to, { exitCode: to === 'success' ? 0 : 2, failure: null });
  return task;
}

export const failed = { to: 'error' } as const;

/** Changes the text of the inventory. */
export async function changeInventory(app: TestApp, seed: Seed, inventory: string): Promise<void> {
  await app.admin.call(inventories.update, {
    params: { project_id: seed.projectId, inventory_id: seed.inventoryId },
    body: { name: 'Hosts', type: 'static', inventory, ssh_key_id: seed.keyId },
  });
}
