// Also on PostgreSQL: each engine has errors of its own.
// Errors of the database that pass end no task: its program goes on, and its lines are stored later.

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { databaseFile, openDatabase } from '../../src/server/db/open.ts';
import { isSqlite } from '../../src/server/db/row.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { makeGate } from '../helpers/gate.ts';
import { seedProject } from '../helpers/seed.ts';
import { stopWrites } from '../helpers/stop-writes.ts';
import { launch, logText, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

const print = (from: number, to: number): string =>
  `for i in $(seq ${from} ${to}); do echo "line $i"; done`;

/** A task that prints on each side of a gate, and waits behind it until it is told to end. */
async function begun() {
  const app = await testApp({ runner: true });
  const [first, last] = [await makeGate(), await makeGate()];
  const script = `${print(1, 20)}; ${first.wait}; ${print(21, 60)}; ${last.wait}; echo ended; exit 3\n`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(app.admin, task)).includes('line 20'));
  return { app, task, first, last };
}

/** Waits until the server has told the runner so often that something was not stored. */
function refusals({ ctx }: TestApp): { untilSome: () => Promise<unknown> } {
  let count = 0;
  const { log } = ctx;
  const warn = log.warn.bind(log);
  log.warn = (...args: Parameters<typeof warn>) => {
    if (String(args[1]).includes('the runner retries')) count += 1;
    warn(...args);
  };
  return { untilSome: () => until(() => count >= 2, 60) };
}

/** How a task ended, and the lines of its program. */
async function endOf({ app, task, last }: Awaited<ReturnType<typeof begun>>) {
  await last.open();
  const params = { project_id: task.project_id, task_id: task.id };
  // The first readers on connections that were ended get an error.
  const { status, failure } = await until(async () => {
    const { status: code, body } = await app.admin.ask(tasks.one, { params });
    return code === 200 && isFinished(body.status) && body;
  });
  const lines = (await logText(app.admin, task)).split('\n');
  const printed = lines.filter((line) => line.startsWith('line ') || line === 'ended');
  return { status, reason: failure?.code, printed };
}

const whole = {
  status: 'error',
  reason: 'failure.exit_code',
  printed: [...numbers(1, 60), 'ended'],
};

test('a database that takes no writes for a while ends no task', async () => {
  const run = await begun();
  const refused = refusals(run.app);
  const allow = await stopWrites(run.app);
  await run.first.open();
  await refused.untilSome();
  await allow();
  await untilStatus(run.app.admin, run.task, 'running');
  expect(await endOf(run)).toEqual(whole);
});

test('a program that ends while the database takes no writes has its result afterwards', async () => {
  const run = await begun();
  const refused = refusals(run.app);
  const allow = await stopWrites(run.app);
  await run.first.open();
  await run.last.open();
  await refused.untilSome();
  await allow();
  expect(await endOf(run)).toEqual(whole);
});

test('a table that is locked longer than the database lets statements wait ends no task', async () => {
  const run = await begun();
  const { db } = run.app.ctx;
  // SQLite waits for five seconds by itself.
  if (isSqlite(db as never)) await sql`pragma busy_timeout = 50`.execute(db);
  else await lowerTimeout(run.app);
  const refused = refusals(run.app);
  const free = await lock(run.app);
  await run.first.open();
  await refused.untilSome();
  await free();
  expect(await endOf(run)).toEqual(whole);
});

/** Ends all other connections, so that those which follow have the limit. */
async function lowerTimeout({ ctx: { db } }: TestApp): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]?.name ?? '');
  await db.connection().execute(async (one) => {
    await sql`alter database ${database} set statement_timeout = '300ms'`.execute(one);
    await sql`set statement_timeout = '300ms'`.execute(one);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(one);
  });
}

/** Holds the lock of another program; returns what frees it. */
async function lock({ ctx: { config, db } }: TestApp): Promise<() => Promise<void>> {
  const own = isSqlite(db as never)
    ? openDatabase(`sqlite:${databaseFile(config)}`)
    : openDatabase(config.databaseUrl ?? '');
  const free = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = own.connection().execute(async (one) => {
    if (isSqlite(db as never)) await sql`begin immediate`.execute(one);
    else await sql`begin; lock table tasks, task_log_chunks in access exclusive mode`.execute(one);
    held.resolve();
    await free.promise;
    await sql`rollback`.execute(one);
  });
  await held.promise;
  return async () => {
    free.resolve();
    await holding;
    await own.destroy();
  };
}
