// Fills an installation as a team would, for the pictures of the guide and for tests of all
// screens. Everything is made through the API; only the days of older tasks are written into the
// database afterwards.

import { join } from 'node:path';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { openDatabase } from '../../../src/server/db/open.ts';
import { connectApi, type ApiCall } from '../api-client.ts';
import type { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { addAutomation, type Automation } from './automation.ts';
import { addResources, adder, type Resources } from './resources.ts';
import { addTemplates, type Templates } from './templates.ts';
import { addWorkflow, type Workflows } from './workflows.ts';

interface ExampleTasks {
  success: number;
  failed: number;
  waiting: number;
}

export interface Example {
  projectId: number;
  resources: Resources;
  templates: Templates;
  automation: Automation;
  workflows: Workflows;
  tasks: ExampleTasks;
  /** Users of the project who are not administrators, and the password that they share. */
  members: { owner: number; guest: number };
}

export const memberPassword = 'a password of a member';

async function addMembers(call: ApiCall, projectId: number): Promise<Example['members']> {
  const add = async (role: string, name: string): Promise<number> => {
    const user = { username: role, name, email: `${role}@example.com`, password: memberPassword };
    const { id } = await call<{ id: number }>('POST', '/api/users', user);
    await call('POST', `/api/project/${projectId}/users`, { user_id: id, role });
    return id;
  };
  const owner = await add('owner', 'Head of operations');
  await add('task_runner', 'On-call engineer');
  return { owner, guest: await add('guest', 'Auditor') };
}

/** Runs a task of most templates to its end, and leaves a deploy waiting if asked. */
async function runTasks(
  call: ApiCall,
  projectId: number,
  { build, deploy, patch, backup, certificates }: Templates,
  { withDeploy }: { withDeploy: boolean },
): Promise<ExampleTasks> {
  const path = `/api/project/${projectId}/tasks`;
  const launch = async (template_id: number, fields = {}) =>
    (await call<Task>('POST', path, { template_id, ...fields })).id;
  const reached = (id: number, isReached: (status: Task['status']) => boolean) =>
    until(async () => isReached((await call<Task>('GET', `${path}/${id}`)).status), 60);
  const answers = JSON.stringify({ window: '02:00 to 04:00', batch: '2' });
  const ended = [
    await launch(build, { message: 'Faster search' }),
    await launch(certificates),
    await launch(backup),
    await launch(patch, { message: 'Kernel updates', environment: answers }),
  ];
  for (const id of ended) await reached(id, isFinished);
  const [built = 0, success = 0, , failed = 0] = ended;
  if (!withDeploy) return { success, failed, waiting: 0 };
  const waiting = await launch(deploy, { build_task_id: built, message: 'Release on Thursday' });
  await reached(waiting, (status) => status === 'waiting_confirmation');
  return { success, failed, waiting };
}

// How many tasks ended on each day before today, the oldest day first; weekends have few.
const perDay = [6, 4, 0, 0, 5, 3, 7, 4, 6, 1, 0, 4, 5, 3];

const dayMs = 24 * 60 * 60 * 1000;

/** Copies the finished tasks to the days before today. */
async function addPast(dataDir: string, projectId: number): Promise<void> {
  const db = openDatabase(`sqlite:${join(dataDir, 'signalbox.db')}`);
  const finished = await db
    .selectFrom('tasks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('status', 'in', ['success', 'error'])
    .orderBy('id')
    .execute();
  const days = perDay.flatMap((runs, index) =>
    Array.from({ length: runs }, (_, run) => ({ day: perDay.length - index, run })),
  );
  for (const [count, { day, run }] of days.entries()) {
    const source = finished[count % 9 === 7 ? finished.length - 1 : count % 3];
    if (!source) throw new Error('no task of the example has ended');
    const { id: _id, ...row } = source;
    const created = Date.now() - day * dayMs + run * 1_800_000;
    const at = (seconds: number) => new Date(created + seconds * 1000).toISOString();
    const times = { created: at(0), start: at(1), end: at(20 + ((count * 37) % 180)) };
    await db
      .insertInto('tasks')
      .values({ ...row, ...times, version: null, log_removed: 1 })
      .execute();
  }
  await db.destroy();
}

/** Fills a server. */
export async function makeExample(
  server: Pick<TestServer, 'address' | 'password' | 'dataDir'>,
): Promise<Example> {
  const call = await connectApi(server);
  const { id: projectId } = await call<{ id: number }>('POST', '/api/projects', {
    name: 'Webshop',
    max_parallel_tasks: 4,
  });
  await call('POST', '/api/projects', { name: 'Data centre' });
  // This runner never registers, so that its row stays the same.
  await call('POST', '/api/runners', { name: 'Frankfurt' });
  const add = adder(call, projectId);
  const resources = await addResources(add, server.dataDir);
  const templates = await addTemplates(add, resources);
  const automation = await addAutomation(call, projectId, templates, resources);
  await runTasks(call, projectId, templates, { withDeploy: false });
  await addPast(server.dataDir, projectId);
  const tasks = await runTasks(call, projectId, templates, { withDeploy: true });
  return {
    projectId,
    resources,
    templates,
    automation,
    workflows: await addWorkflow(call, projectId, templates),
    tasks,
    members: await addMembers(call, projectId),
  };
}
