// Also on PostgreSQL: tasks are taken from its queue by locks.
// Slow: eighty random things happen to real tasks, with restarts of the server.
// Does random things to tasks, with restarts of the server between: each change of a status is an
// allowed one, and in the end nothing is stuck.

import * as fc from 'fast-check';
import { sql } from 'kysely';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { canMove, isFinished, type TaskStatus } from '#shared/task-status.ts';
import { createApp } from '../src/server/app.ts';
import { ownEngine, testApp, type TestApp } from './helpers/app.ts';
import { runSeed } from './helpers/random.ts';
import { folder, seedProject, type Seed } from './helpers/seed.ts';
import { until } from './helpers/until.ts';

const stepCount = 80;
// An action that is listed twice is done twice as often.
const actions = [
  'launch',
  'launch',
  'launch',
  'confirm',
  'confirm',
  'stop',
  'force',
  'stop all',
  'delete',
  'succeed',
  'fail',
  'fail',
  'settle',
  'settle',
  'restart',
] as const;

interface Life {
  app: TestApp;
  seed: Seed;
  templates: number[];
  /** The programs look into this folder for how they should end. */
  orders: string;
}

const moved = `insert into moves (task_id, origin, target)
  values (old.id, old.status, new.status);`;

// Each engine has its own SQL for this.
const watching = {
  sqlite: [
    'create table moves (id integer primary key, task_id integer, origin text, target text)',
    `create trigger moved after update of status on tasks begin ${moved} end`,
  ],
  postgres: [
    'create table moves (id serial primary key, task_id bigint, origin text, target text)',
    `create function note_move() returns trigger language plpgsql
       as $$ begin ${moved} return null; end $$`,
    `create trigger moved after update of status on tasks
       for each row execute function note_move()`,
  ],
};

/** The database itself records every change of a status, so that none is missed. */
async function watchMoves({ ctx: { db } }: TestApp): Promise<void> {
  for (const statement of watching[ownEngine]) await sql.raw(statement).execute(db);
}

interface Move {
  task_id: number;
  origin: TaskStatus;
  target: TaskStatus;
}

/** The changes since the last call that are not allowed. */
async function wrongMoves({ ctx: { db } }: TestApp): Promise<string[]> {
  const { rows } = await sql<Move>`select * from moves order by id`.execute(db);
  const last = new Map<number, TaskStatus>();
  return rows.flatMap(({ task_id: id, origin, target }) => {
    const from = last.get(id) ?? 'waiting';
    last.set(id, target);
    const isRight = from === origin && canMove(origin, target);
    return isRight ? [] : [`task ${id}: ${from}, ${origin} to ${target}`];
  });
}

async function begin(): Promise<Life> {
  const app = await testApp({ runner: true, config: { maxParallelTasks: 4 } });
  await watchMoves(app);
  const orders = await folder();
  const script = `me=\${SIGNALBOX_RUN%%-*}
while :; do
  [ -e '${orders}/all' ] || [ -e "${orders}/$me-succeed" ] && exit 0
  [ -e "${orders}/$me-fail" ] && exit 1
  sleep 0.05
done
`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const templates = [
    await seed.template(),
    await seed.template({ allow_parallel_tasks: true }),
    await seed.template({ requires_confirmation: true, allow_parallel_tasks: true }),
    await seed.template({ retries: 2, retry_delay_s: 1 }),
  ].map(({ id }) => id);
  return { app, seed, templates, orders };
}

async function listTasks({ app, seed }: Life): Promise<Task[]> {
  return app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
}

async function restart({ app }: Life): Promise<void> {
  await app.app.runner.close();
  const next = await createApp(app.ctx, { config: app.ctx.config, log: app.ctx.log });
  await next.runner.start();
  app.app.runner.close = () => next.runner.close();
}

/** The task for an action; unfinished tasks are chosen more often. */
async function choose(life: Life, action: string, choice: number): Promise<number> {
  const all = await listTasks(life);
  const living = all.filter(({ status }) => !isFinished(status));
  const running = all.filter(({ status }) => status === 'running');
  const isOrder = action === 'succeed' || action === 'fail';
  const among = isOrder ? running : [...living, ...all.slice(0, 3)];
  return among[choice % among.length]?.id ?? 4711;
}

/** Does one thing to one task; returns the answer of the server. */
async function act(
  life: Life,
  action: (typeof actions)[number],
  choice: number,
): Promise<{ status: number }> {
  const { admin } = life.app;
  const project = { project_id: life.seed.projectId };
  const template_id = life.templates[choice % life.templates.length] ?? 0;
  const params = { ...project, task_id: await choose(life, action, choice) };
  switch (action) {
    case 'launch':
      return admin.ask(tasks.start, { params: project, body: { template_id } });
    case 'confirm':
      return admin.ask(tasks.confirm, { params });
    case 'stop':
    case 'force':
      return admin.ask(tasks.stop, { params, body: { force: action === 'force' } });
    case 'stop all':
      return admin.ask(tasks.stopAll, { params: { ...project, template_id }, body: {} });
    case 'delete':
      return admin.ask(tasks.remove, { params });
    case 'succeed':
    case 'fail':
      await writeFile(join(life.orders, `${params.task_id}-${action}`), '');
      return { status: 204 };
    case 'settle':
      await until(async () => (await listTasks(life)).every(({ status }) => status !== 'starting'));
      return { status: 204 };
    case 'restart':
      await restart(life);
      return { status: 204 };
  }
}

async function endAll(life: Life): Promise<Task[]> {
  await writeFile(join(life.orders, 'all'), '');
  return until(async () => {
    const all = await listTasks(life);
    for (const { id, status } of all) {
      const params = { project_id: life.seed.projectId, task_id: id };
      if (status === 'waiting_confirmation') await life.app.admin.ask(tasks.confirm, { params });
    }
    return all.every(({ status }) => isFinished(status)) && all;
  }, 60);
}

test('whatever happens to tasks, every change of status is allowed and nothing is stuck', async () => {
  const seed = runSeed;
  const step = fc.tuple(fc.constantFrom(...actions), fc.nat(1000));
  const steps = fc.sample(step, { seed, numRuns: stepCount });
  const life = await begin();
  const done: string[] = [];
  const told = (): string => `seed ${seed} after ${done.slice(-5).join(', ')}`;
  try {
    for (const [action, choice] of steps) {
      const { status } = await act(life, action, choice);
      done.push(`${action} ${status}`);
      expect([201, 204, 404, 409]).toContain(status);
      expect(await wrongMoves(life.app)).toEqual([]);
    }
    const all = await endAll(life);
    expect(all).not.toEqual([]);
    expect(await wrongMoves(life.app)).toEqual([]);
    expect(all.filter(({ end }) => end === null)).toEqual([]);
    const runs = join(life.app.ctx.config.dataDir, 'runs');
    expect(await until(async () => (await readdir(runs)).length === 0)).toBe(true);
  } catch (cause) {
    throw new Error(told(), { cause });
  }
});
