// No list reads a long table from one end to the other: the plan of each statement says so.

import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type App } from '../src/server/app.ts';
import type { Db } from '../src/server/db/open.ts';
import { engines, testApp, type Engine, type TestApp } from './helpers/app.ts';
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

// Tables that are read whole: they are short, and lists of everything in them.
const readWhole = [
  // There are as many as people and projects, and both are listed whole.
  'users',
  'projects',
  // A handful of each.
  'apps',
  'group_rules',
  'runners',
  'settings',
  // Given with the statement that counts what ended on them.
  'days',
];

// No list, but it counts much.
const numbers = { url: `/api/project/${firstId}/stats`, isForAdmins: false };

/** What a plan reads from one end to the other. */
const scans: Record<Engine, (db: Db, query: CompiledQuery) => Promise<string[]>> = {
  async sqlite(db, { sql: text, parameters }) {
    const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(explain);
    return rows.flatMap(
      ({ detail }) => /^SCAN (?!(?:\d+ )?CONSTANT ROW)(\S+)/.exec(detail)?.[1] ?? [],
    );
  },
  async postgres(db, { sql: text, parameters }) {
    const explain = CompiledQuery.raw(`explain ${text}`, [...parameters]);
    return db.connection().execute(async (one) => {
      await sql`set enable_seqscan = off`.execute(one);
      const { rows } = await one.executeQuery<Record<'QUERY PLAN', string>>(explain);
      await sql`reset enable_seqscan`.execute(one);
      return rows.flatMap((row) => /Seq Scan on (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
    });
  },
};

describe.each(engines)('on %s', (engine) => {
  let app: TestApp;
  let server: App;
  let watched: Watched;
  beforeAll(async () => {
    app = await testApp({ engine, shared: true });
    await insertMany(app.ctx, size);
    watched = watch(app.ctx);
    server = await createApp(watched.ctx, app.parts);
  });
  afterAll(async () => {
    await server.close();
    await app.close();
  });

  /** The statements of all lists, each with an address that needs it. */
  async function collect(): Promise<Map<string, [url: string, query: CompiledQuery]>> {
    const member = await app.member(firstId, 'owner');
    const statements = new Map<string, [string, CompiledQuery]>();
    for (const { cookie } of [app.admin, member]) {
      for (const { url, isForAdmins } of [...listCalls(size, firstId), numbers]) {
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
    // As a server begins, and when the engine has learnt what is in the tables that grow. (Of short
    // ones it learns that an index is not worth it.)
    for (const learnt of [[], ['tasks', 'events']]) {
      for (const table of learnt) await sql`analyze ${sql.table(table)}`.execute(app.ctx.db);
      const found: string[] = [];
      for (const [url, query] of statements.values()) {
        const tables = await scans[engine](app.ctx.db, query);
        const long = tables.filter((table) => !readWhole.includes(table));
        if (long.length > 0) found.push(`${long.join()}: ${url}: ${query.sql}`);
      }
      expect(found).toEqual([]);
    }
  });

  test('a plan that reads a table whole is noticed', async () => {
    const { db } = app.ctx;
    const whole = db.selectFrom('tasks').selectAll().where('message', '=', 'x').compile();
    expect(await scans[engine](db, whole)).toEqual(['tasks']);
  });
});
