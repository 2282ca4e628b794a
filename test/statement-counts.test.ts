// Also on PostgreSQL: each statement is a round trip there.
// A list executes as many statements for fifty rows as for one.

import { expect, test } from 'vitest';
import { createApp } from '../src/server/app.ts';
import { testApp } from './helpers/app.ts';
import { insertMany } from './helpers/many/insert.ts';
import { listCalls, listEndpoints } from './helpers/many/list-calls.ts';
import { firstId, type Size } from './helpers/many/rows.ts';
import { watch } from './helpers/many/watch.ts';

const one: Size = {
  projects: 1,
  users: 1,
  templates: 1,
  tasks: 1,
  events: 1,
  bigShare: { templates: 1, tasks: 1, events: 1 },
  things: 1,
};

const fifty: Size = {
  projects: 2,
  users: 50,
  templates: 51,
  tasks: 61,
  events: 61,
  bigShare: { templates: 50, tasks: 61, events: 61 },
  things: 50,
};

interface StatementCount {
  statements: number;
  rows: number;
}

/**
 * For each list, the statements of the call that takes most of them, and the rows of its longest
 * answer.
 */
async function count(size: Size): Promise<Map<string, StatementCount>> {
  const app = await testApp();
  await insertMany(app.ctx, size);
  // Every task needs everything that a task can need: a reason to wait, and a build to deploy.
  const all = { status: 'waiting', build_task_id: firstId } as const;
  await app.ctx.db.updateTable('tasks').set(all).execute();
  const mine = app.ctx.db
    .selectFrom('templates')
    .select(({ lit }) => [lit(app.admin.userId).as('user_id'), 'project_id', 'id']);
  const columns = ['user_id', 'project_id', 'template_id'] as const;
  await app.ctx.db.insertInto('template_pins').columns(columns).expression(mine).execute();
  const watched = watch(app.ctx);
  const server = await createApp(watched.ctx, app.parts);
  await watched.settle();
  const seen = new Map<string, StatementCount>();
  const calls = listCalls(size, firstId).filter(({ asked }) => /^(q=service.*)?$/.test(asked));
  for (const { name, url } of calls) {
    watched.take();
    const answer = await server.http.inject({ url, headers: { cookie: app.admin.cookie } });
    const { statements, rows } = seen.get(name) ?? { statements: 0, rows: 0 };
    seen.set(name, {
      statements: Math.max(statements, watched.take().length),
      rows: Math.max(rows, answer.json<unknown[]>().length),
    });
  }
  await server.close();
  return seen;
}

// These lists have at most one row here: they read files, one row or a log, or belong to one
// session, template or integration, or list this server.
const short = ['hostKeys.list', 'tasks.hosts', 'tasks.failures', 'tasks.output', 'tasks.outputs']
  .concat(['taskResults.stages', 'taskResults.hosts', 'taskResults.errors', 'stats.ofTemplate'])
  .concat([
    'session.list',
    'tokens.list',
    'runners.list',
    'runners.tags',
    'projectRunners.list',
    'projectRunners.tags',
    'groupRules.list',
    'identity.providers',
  ])
  .concat(['aliases.list', 'extractValues.list', 'matchers.list', 'schedules.ofTemplate'])
  .concat(['overview.approvals']);

test('every list takes the same number of statements for one row and for fifty', async () => {
  const few = await count(one);
  const many = await count(fifty);
  const statements = (seen: Map<string, StatementCount>) =>
    [...seen].map(([name, { statements: number }]) => `${name}: ${number}`);
  expect(few.size).toBe(listEndpoints.length);
  expect(statements(many)).toEqual(statements(few));
  const single = [...many].filter(([, { rows }]) => rows < 2).map(([name]) => name);
  expect(single.toSorted()).toEqual(short.toSorted());
});
