// Only on PostgreSQL: in SQLite only one transaction writes at a time.

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { flows } from '../../../../test/helpers/workflows.ts';
import { until } from '../../../../test/helpers/until.ts';
import type { Db } from '../../db/open.ts';

/** Executes the statement, begins the request, and commits when the request waits for a lock. */
async function meanwhile<T>(
  { ctx: { db } }: TestApp,
  statement: (db: Db) => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  const begun = await db.transaction().execute(async (held) => {
    await statement(held);
    const answer = request();
    await until(async () => {
      const waiting = sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return (await waiting.execute(db)).rows.length > 0;
    });
    return { answer };
  });
  return begun.answer;
}

test('a template that is just put into a view neither keeps the view nor breaks', async () => {
  const { app, seed, params } = await appWithProject(null);
  const create = (title: string) => app.admin.call(views.create, { params, body: { title } });
  const { id: view_id } = await create('Web');
  const { id } = await seed.template();
  const enter = (db: Db) =>
    db.updateTable('templates').set({ view_id }).where('id', '=', id).execute();
  const removed = await meanwhile(app, enter, () =>
    app.admin.ask(views.remove, { params: { ...params, view_id } }),
  );
  expect(removed.status).toBe(204);
  const left = await app.admin.call(templates.one, { params: { ...params, template_id: id } });
  expect(left.view_id).toBeNull();

  const other = await create('Data');
  const go = (db: Db) => db.deleteFrom('views').where('id', '=', other.id).execute();
  const body = {
    name: 'Late',
    playbook: 'play.yml',
    repository_id: seed.repositoryId,
    inventory_id: seed.inventoryId,
    environment_id: seed.environmentId,
    view_id: other.id,
  };
  const late = await meanwhile(app, go, () => app.admin.ask(templates.create, { params, body }));
  expect([late.status, late.body.code]).toEqual([409, 'request.stale']);
});

test('a workflow does not enter a view that is just deleted', async () => {
  const app = await testApp();
  const { params, add } = await flows(app);
  const { id } = await app.admin.call(views.create, { params, body: { title: 'Web' } });
  const go = (db: Db) => db.deleteFrom('views').where('id', '=', id).execute();
  const { graph } = await add([{ type: 'wait', key: 'a', name: 'a', seconds: 1 }]);
  const body = { name: 'Late', graph, view_id: id };
  const late = await meanwhile(app, go, () => app.admin.ask(workflows.create, { params, body }));
  expect([late.status, late.body.code]).toEqual([409, 'request.stale']);
});
