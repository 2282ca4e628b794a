// Only on PostgreSQL: SQLite keeps all statements.
// The statements that PostgreSQL keeps in each connection, all on one connection.

import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { executionKinds, type ExecutionKind } from '#shared/api/execution-environments.ts';
import { hasRecipients } from '../src/server/alerts/alert-deliveries/subjects.store.ts';
import {
  findNextTry,
  hasQueued,
  listDue,
} from '../src/server/automation/tasks/queue/queue.store.ts';
import { findTask } from '../src/server/automation/tasks/rows/shown-tasks.store.ts';
import { findShortHeldRow } from '../src/server/automation/tasks/runs/held-rows.store.ts';
import { openDatabase } from '../src/server/db/open.ts';
import type { Tables } from '../src/server/db/tables.ts';
import { findRole } from '../src/server/people/members/members.store.ts';
import { findSession } from '../src/server/people/session/session.store.ts';
import { listOpen } from '../src/server/runners/runners.store.ts';
import { freshPostgres } from './helpers/postgres.ts';

type Db = Kysely<Tables>;

const now = '2026-01-01T00:00:00.000Z';
const none = { fullProjects: [], fullKinds: [], fullTags: [], ownRunners: [] };
const reading = { now, after: 0, limit: 10, ...none };
const dueWithout =
  (...fullKinds: ExecutionKind[]) =>
  (db: Db) =>
    listDue(db, { ...reading, fullKinds });

const kept: Record<string, (db: Db) => Promise<unknown>> = {
  find_held: (db) => findShortHeldRow(db, 1, 1),
  find_next_try: (db) => findNextTry(db, now),
  find_role: (db) => findRole(db, 1, 1),
  find_session: (db) => findSession(db, 'hash', now),
  find_task: (db) => findTask(db, 1, 1),
  has_queued: hasQueued,
  has_recipients: (db) => hasRecipients(db, 1),
  list_due: (db) => listDue(db, reading),
  list_due_when_full: dueWithout(...executionKinds),
  list_due_without_container: dueWithout('container'),
  list_due_without_container_pod: dueWithout('container', 'pod'),
  list_due_without_pod: dueWithout('pod'),
  list_due_without_server_tools_container: dueWithout('server', 'tools', 'container'),
  list_due_without_tools_container: dueWithout('tools', 'container'),
  list_due_without_tools_container_pod: dueWithout('tools', 'container', 'pod'),
  list_open_runners: listOpen,
};

/** Tables that have only a few rows, or as many as there are projects and people. */
const short = ['projects', 'runners', 'users'];

/** A connection that has sent each of the statements, and another one to the same database. */
async function onOne(work: (db: Db, other: Db) => Promise<void>): Promise<void> {
  const { url, drop } = await freshPostgres('tables');
  const [pool, other] = [openDatabase(url), openDatabase(url)];
  onTestFinished(async () => {
    await Promise.all([pool.destroy(), other.destroy()]);
    await drop();
  });
  await pool.connection().execute(async (db) => {
    for (const send of Object.values(kept)) await send(db);
    await work(db, other);
  });
}

const listKept = async (db: Db) => {
  const { rows } = await sql<{ name: string; values: number }>`
    select name, coalesce(array_length(parameter_types, 1), 0) as values
    from pg_prepared_statements order by name
  `.execute(db);
  return rows;
};

test('the connection keeps these statements', async () => {
  await onOne(async (db) => {
    expect((await listKept(db)).map(({ name }) => name)).toEqual(Object.keys(kept));
  });
});

test('a newer server may add a column to each table', async () => {
  await onOne(async (db, other) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'
    `.execute(other);
    for (const { name } of rows) {
      await sql`alter table ${sql.table(name)} add column added integer`.execute(other);
    }
    const answers: unknown[] = [];
    for (const send of Object.values(kept)) answers.push(await send(db));
    const lists = Object.keys(kept).filter((name) => name.startsWith('list_'));
    const empty = lists.map(() => []);
    expect(answers).toEqual([undefined, null, null, null, null, false, false, ...empty]);
  });
});

test('the kept plans read no long table whole', async () => {
  await onOne(async (db) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(db);
    await sql`set enable_seqscan = off`.execute(db);
    const scans: string[] = [];
    for (const { name, values } of await listKept(db)) {
      const args = values > 0 ? `(${Array.from({ length: values }, () => 'null').join()})` : '';
      const explain = sql.raw<Record<'QUERY PLAN', string>>(`explain execute ${name}${args}`);
      const { rows } = await explain.execute(db);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const tables = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table ?? '');
      scans.push(
        ...tables.filter((table) => !short.includes(table)).map((one) => `${name}: ${one}`),
      );
    }
    expect(scans).toEqual([]);
  });
});
