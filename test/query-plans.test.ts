// Also on PostgreSQL: its planner is another one.
// No list reads a long table from end to end, as the query plan of each statement shows.

import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLastSuccess } from '../src/server/automation/tasks/changes/inputs.store.ts';
import {
  findNextDue,
  listDue,
  listLeft,
} from '../src/server/automation/workflows/runs/nodes.store.ts';
import { listStopping } from '../src/server/automation/workflows/runs/runs.store.ts';
import { createApp, type App } from '../src/server/app.ts';
import type { Db } from '../src/server/db/open.ts';
import { findByCredential } from '../src/server/runners/remote-runners.store.ts';
import { ownEngine, testApp, type Engine, type TestApp } from './helpers/app.ts';
import { insertMany } from './helpers/many/insert.ts';
import { listCalls } from './helpers/many/list-calls.ts';
import { firstId, type Size } from './helpers/many/rows.ts';
import { watch, type Watched } from './helpers/many/watch.ts';

const size: Size = {
  projects: 3,
  users: 20,
  templates: 200,
  tasks: 3000,
  events: 2000,
  bigShare: { templates: 100, tasks: 1500, events: 1000 },
  things: 10,
};

// Tables that are read whole, because they are short and a list shows everything in them.
const readWhole = [
  // There are as many rows as people and projects, and both are listed whole.
  'users',
  'projects',
  // These tables have only a few rows.
  'apps',
  'group_rules',
  'runners',
  'settings',
  // The statement itself contains these rows and counts what ended on them.
  'days',
  'p',
  // A subquery with a limit, which itself uses an index.
  'newest_failed',
];

// These endpoints answer no list, but read many rows.
const further = [
  `/api/project/${firstId}/stats`,
  `/api/project/${firstId}/stats/last_runs?templates=${firstId}`,
  `/api/project/${firstId}/stats/deployments`,
  `/api/project/${firstId}/workflow_runs/newest`,
  '/api/user/overview/projects',
  `/api/project/${firstId}/schedules/calendar`,
  `/api/project/${firstId}/host_map`,
  '/api/user/overview',
  `/api/user/overview?project_id=${firstId}`,
  `/api/user/approvals?project_id=${firstId}`,
  '/api/user/search?q=service',
].map((url) => ({
  url,
  isForAdmins: false,
}));

/** The plan of a statement, in the words of the engine. */
const planOf: Record<Engine, (db: Db, query: CompiledQuery) => Promise<string>> = {
  async sqlite(db, { sql: text, parameters }) {
    const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(explain);
    return rows.map(({ detail }) => detail).join('\n');
  },
  async postgres(db, { sql: text, parameters }) {
    const explain = CompiledQuery.raw(`explain ${text.replace(/-- prepared: \w+$/, '')}`, [
      ...parameters,
    ]);
    return db.connection().execute(async (one) => {
      await sql`set enable_seqscan = off`.execute(one);
      const { rows } = await one.executeQuery<Record<'QUERY PLAN', string>>(explain);
      await sql`reset enable_seqscan`.execute(one);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
  },
};

/** How the plans of an engine name a table that they read from end to end. */
const wholeTable: Record<Engine, RegExp> = {
  sqlite: /^SCAN (?!(?:\d+ )?CONSTANT ROW)(\S+)/,
  postgres: /Seq Scan on (\w+)/,
};

/** The tables that a plan reads from end to end. */
async function scansOf(db: Db, query: CompiledQuery): Promise<string[]> {
  const plan = await planOf[ownEngine](db, query);
  return plan.split('\n').flatMap((line) => wholeTable[ownEngine].exec(line)?.[1] ?? []);
}

let app: TestApp;
let server: App;
let watched: Watched;
beforeAll(async () => {
  app = await testApp({ shared: true });
  await insertMany(app.ctx, size);
  watched = watch(app.ctx);
  server = await createApp(watched.ctx, app.parts);
  await watched.settle();
});
afterAll(async () => {
  await server.close();
  await app.close();
});

/** The statements of all lists, each with an address that executes it. */
async function collect(): Promise<Map<string, [url: string, query: CompiledQuery]>> {
  const member = await app.member(firstId, 'owner');
  const statements = new Map<string, [string, CompiledQuery]>();
  for (const { cookie } of [app.admin, member]) {
    for (const { url, isForAdmins } of [...listCalls(size, firstId), ...further]) {
      if (isForAdmins && cookie === member.cookie) continue;
      watched.take();
      const answer = await server.http.inject({ url, headers: { cookie } });
      expect([url, answer.statusCode]).toEqual([url, 200]);
      for (const query of watched.take()) statements.set(query.sql, [url, query]);
    }
  }
  return statements;
}

test('every list finds its rows by an index, for administrators and members', async () => {
  const statements = await collect();
  expect(statements.size).toBeGreaterThan(50);
  // The plans are read as on a new server, and again when the engine has statistics of the tables
  // that grow. (With statistics of short tables it would use no index.)
  for (const learnt of [[], ['tasks', 'events']]) {
    for (const table of learnt) await sql`analyze ${sql.table(table)}`.execute(app.ctx.db);
    const found: string[] = [];
    for (const [url, query] of statements.values()) {
      const tables = await scansOf(app.ctx.db, query);
      const long = tables.filter((table) => !readWhole.includes(table));
      if (long.length > 0) found.push(`${long.join()}: ${url}: ${query.sql}`);
    }
    expect(found).toEqual([]);
  }
});

test('the last success before a task is found by the index of successful tasks', async () => {
  for (const learnt of [false, true]) {
    if (learnt) await sql`analyze tasks`.execute(app.ctx.db);
    for (const inventory_id of [null, 1]) {
      watched.take();
      const task = { id: firstId + 2000, template_id: firstId, inventory_id };
      await findLastSuccess(watched.ctx.db, task);
      const [query] = watched.take();
      if (!query) throw new Error('No statement was executed.');
      expect(await scansOf(app.ctx.db, query)).toEqual([]);
      const plan = await planOf[ownEngine](app.ctx.db, query);
      // PostgreSQL may choose any index that has the status.
      expect(plan).toMatch(
        ownEngine === 'sqlite' ? /tasks_by_success/ : /tasks_by_(?:success|template)/,
      );
    }
  }
});

test.each([
  [
    'nodes of workflows that are due',
    (db: Db) => listDue(db, '2026-01-01T00:00:00.000Z'),
    'workflow_nodes_active',
  ],
  ['the time of the next node that is due', findNextDue, 'workflow_nodes_active'],
  ['runs of workflows that are stopping', listStopping, 'workflow_runs_stopping'],
  ['nodes of workflows whose task has ended', listLeft, 'workflow_nodes_active'],
  ['a remote runner', (db: Db) => findByCredential(db, 'hash'), 'runners_by_credential'],
])('%s: found by an index', async (_what, find, index) => {
  watched.take();
  await find(watched.ctx.db);
  const [query] = watched.take();
  if (!query) throw new Error('No statement was executed.');
  expect(await planOf[ownEngine](app.ctx.db, query)).toContain(index);
});

test('a plan that reads a table whole is noticed', async () => {
  const { db } = app.ctx;
  const whole = db.selectFrom('tasks').selectAll().where('message', '=', 'x').compile();
  expect(await scansOf(db, whole)).toEqual(['tasks']);
});
