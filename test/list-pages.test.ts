// Also on PostgreSQL: it orders texts and nulls in other ways.
// The pages of templates in every order, every filter of tasks, and searches that end early.

import { expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates, type Template } from '#shared/api/templates.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { appWithProject } from './helpers/app-with-project.ts';
import { insertMany } from './helpers/many/insert.ts';
import { firstId, type Size } from './helpers/many/rows.ts';
import { seedProject } from './helpers/seed.ts';

const size: Size = {
  projects: 2,
  users: 5,
  templates: 20,
  tasks: 600,
  events: 10,
  bigShare: { templates: 10, tasks: 300, events: 5 },
  things: 2,
};

/** All pages of a list, one after the other. */
async function walk<T extends { id: number }>(app: TestApp, first: string): Promise<T[][]> {
  const pages: T[][] = [];
  let url: string | undefined = first;
  while (url !== undefined && pages.length < 50) {
    const answer = await app.admin.raw({ method: 'GET', url });
    expect(answer.statusCode).toBe(200);
    pages.push(answer.json<T[]>());
    url = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link']))?.[1];
  }
  return pages;
}

test('the pages of templates have each one once, in every order', async () => {
  const { app, seed } = await appWithProject(null);
  for (const name of ['c', 'A', 'ü', 'b']) await seed.template({ name });
  // These templates have neither inventory nor environment.
  for (const name of ['x', 'y']) {
    const none = { inventory_id: null, environment_id: null };
    await seed.template({ name, app: 'bash', playbook: 'run.sh', ...none });
  }
  const at = `/api/project/${seed.projectId}/templates`;
  for (const sort of ['name', 'playbook', 'inventory', 'environment', 'repository']) {
    for (const order of ['asc', 'desc']) {
      const query = `sort=${sort}&order=${order}`;
      const [whole = []] = await walk<Template>(app, `${at}?${query}`);
      const pages = await walk<Template>(app, `${at}?${query}&limit=2`);
      expect([query, pages.map((page) => page.length)]).toEqual([query, [2, 2, 2]]);
      expect(pages.flat()).toEqual(whole);
    }
  }
});

test('a page of templates does not begin after one that is not there', async () => {
  const { app, seed } = await appWithProject(null);
  const elsewhere = await (await seedProject(app.admin, null)).template();
  for (const before of [elsewhere.id, 999_999]) {
    const params = { project_id: seed.projectId };
    const { status, body } = await app.admin.ask(templates.list, { params, query: { before } });
    expect([status, body.fields]).toMatchObject([
      400,
      [{ path: 'before', code: 'field.reference' }],
    ]);
  }
});

test('every filter of tasks leaves what it says, alone and with others', async () => {
  const app = await testApp();
  await insertMany(app.ctx, size);
  const params = { project_id: firstId };
  const all = await app.admin.call(tasks.list, { params });
  expect(all).toHaveLength(300);
  const [some] = all.filter((one) => one.status === 'error' && one.user_id !== null);
  const { template_id, user_id, commit_hash } = some ?? {};
  const is = { status: 'error' as const, template_id, user_id: user_id ?? 0 };
  const q = commit_hash?.slice(-12).toUpperCase() ?? '';
  const has = (key: 'status' | 'template_id' | 'user_id') =>
    all.filter((one) => one[key] === is[key]);
  for (const key of ['status', 'template_id', 'user_id'] as const) {
    const query = { [key]: is[key] };
    expect(await app.admin.call(tasks.list, { params, query })).toEqual(has(key));
  }
  const together = { ...is, q };
  expect(await app.admin.call(tasks.list, { params, query: together })).toEqual([some]);
  const byUser = { q: `person ${is.user_id}` };
  const ofUser = await app.admin.call(tasks.list, { params, query: byUser });
  expect(ofUser).toEqual(has('user_id'));
});

test('a search that finds little ends early and leads on', async () => {
  const app = await testApp();
  await insertMany(app.ctx, {
    ...size,
    events: 51_000,
    bigShare: { ...size.bigShare, events: 51_000 },
  });
  await app.ctx.db
    .updateTable('events')
    .set({ search: 'needle' })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('events')
        .select(({ fn }) => fn.min('id').as('id'))
        .where('project_id', '=', firstId),
    )
    .execute();
  const pages = await walk(app, `/api/project/${firstId}/events?q=NEEDLE`);
  expect(pages.map((page) => page.length)).toEqual([0, 1]);
  const few = await app.admin.call(events.list, { query: { q: 'nothing like it', limit: 5 } });
  expect(few).toEqual([]);
});
