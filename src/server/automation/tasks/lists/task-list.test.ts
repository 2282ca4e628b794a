import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { updateCommit, updateVersion } from '../rows/tasks.store.ts';

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const template = await seed.template({ name: 'Roll out' });
  const launch = (message: string, templateId = template.id) =>
    app.admin.call(tasks.start, { params, body: { template_id: templateId, message } });
  return { app, seed, params, template, launch };
}

test('the tasks that have a text are found, whatever its case', async () => {
  const { app, seed, params, launch } = await start();
  const plain = await launch('Nightly run');
  const wild = await launch('100% of a_b, it! \\ "quoted"');
  const other = await launch('Something', (await seed.template({ name: 'Backup' })).id);
  const runner = await app.member(seed.projectId, 'task_runner');
  const body = { template_id: plain.template_id };
  const theirs = await runner.call(tasks.start, { params, body });
  await updateVersion(app.ctx.db, { id: other.id, lease: 0 }, 'Web-2.0');
  await updateCommit(
    app.ctx.db,
    { id: other.id, lease: 0 },
    {
      commit_hash: 'abcdef1234567890abcdef1234567890abcdef12',
      commit_message: 'Fix the Gate',
    },
  );
  const cases: [q: string, found: number[]][] = [
    ['nightly', [plain.id]],
    ['NIGHTLY RUN', [plain.id]],
    ['backup', [other.id]],
    ['roll', [theirs.id, wild.id, plain.id]],
    ['web-2', [other.id]],
    ['ABCDEF12', [other.id]],
    ['the gate', [other.id]],
    ['task_runner-1', [theirs.id]],
    ['', [theirs.id, other.id, wild.id, plain.id]],
    ['  ', [theirs.id, other.id, wild.id, plain.id]],
    ['%', [wild.id]],
    ['0% of', [wild.id]],
    ['a_b', [wild.id]],
    ['t!', [wild.id]],
    ['\\', [wild.id]],
    ['"quoted"', [wild.id]],
    ['_ight', []],
    ['n%run', []],
    ["' or 1=1 --", []],
  ];
  for (const [q, found] of cases) {
    const list = await app.admin.call(tasks.list, { params, query: { q } });
    expect([q, list.map(({ id }) => id)]).toEqual([q, found]);
  }
  // Together with what else is asked for.
  const both = { q: 'roll', user_id: theirs.user_id ?? 0 };
  const list = await app.admin.call(tasks.last, { params, query: both });
  expect(list.map(({ id }) => id)).toEqual([theirs.id]);
  const ofTemplate = { ...params, template_id: plain.template_id };
  const few = { params: ofTemplate, query: { q: 'nightly' } };
  for (const endpoint of [tasks.ofTemplate, tasks.lastOfTemplate]) {
    expect(await app.admin.call(endpoint, few)).toMatchObject([{ id: plain.id }]);
  }
});

test('those that go on or wait are told from those that have ended', async () => {
  const { app, params, launch } = await start();
  const [old, waiting] = [await launch('Old'), await launch('New')];
  await app.admin.call(tasks.stop, { params: { ...params, task_id: old.id }, body: {} });
  const ids = async (state: 'unfinished' | 'finished') =>
    (await app.admin.call(tasks.list, { params, query: { state } })).map(({ id }) => id);
  expect(await ids('unfinished')).toEqual([waiting.id]);
  expect(await ids('finished')).toEqual([old.id]);
});

test('tasks are filtered and counted by the time of their end', async () => {
  const { app, params, launch } = await start();
  const end = async (message: string, status: 'success' | 'error', time: string) => {
    const { id } = await launch(message);
    const values = { status, start: time, end: time };
    await app.ctx.db.updateTable('tasks').set(values).where('id', '=', id).execute();
    return id;
  };
  const first = await end('First', 'success', '2026-11-20T10:00:00.000Z');
  const second = await end('Second', 'error', '2026-11-21T00:00:00.000Z');
  const third = await end('Third', 'success', '2026-11-21T10:00:00.500Z');
  const open = (await launch('Open')).id;
  const cases: [query: Record<string, string>, found: number[]][] = [
    [{}, [open, third, second, first]],
    // What has not ended may still end in a range without an end.
    [{ from: '2026-11-21T00:00:00Z' }, [open, third, second]],
    [{ to: '2026-11-21T00:00:00Z' }, [first]],
    [{ from: '2026-11-21T00:00:00.0Z', to: '2026-11-22T00:00:00Z' }, [third, second]],
    [{ from: '2026-11-21T10:00:00Z', to: '2026-11-21T10:00:01Z' }, [third]],
    [{ from: '2026-11-20T00:00:00Z', status: 'success' }, [third, first]],
    [{ from: '2026-11-20T00:00:00Z', state: 'finished' }, [third, second, first]],
    [{ from: '2026-11-20T00:00:00Z', to: '2026-11-21T10:00:00Z', q: 'second' }, [second]],
    [{ to: '2026-11-22T00:00:00Z', state: 'unfinished' }, []],
  ];
  for (const [query, found] of cases) {
    const list = await app.admin.call(tasks.list, { params, query });
    expect([query, list.map(({ id }) => id)]).toEqual([query, found]);
    const total = await app.admin.call(tasks.count, { params, query });
    expect([query, total]).toEqual([query, { count: found.length, is_whole: true }]);
  }
  const wrong = await app.admin.ask(tasks.list, { params, query: { from: 'yesterday' } });
  expect([wrong.status, wrong.body.fields?.[0]?.path]).toEqual([400, 'from']);
});

test('the templates that have a text are found, whatever its case', async () => {
  const { app, seed, params } = await start();
  await seed.template({ name: 'Back_up', description: 'Every NIGHT' });
  await seed.template({ name: 'Backup', playbook: 'plays/night%.yml' });
  const cases: [q: string, found: string[]][] = [
    ['ROLL', ['Roll out']],
    ['night', ['Back_up', 'Backup']],
    ['k_u', ['Back_up']],
    ['t%', ['Backup']],
    ['plays/', ['Backup']],
    ['localhost', []],
    ['', ['Back_up', 'Backup', 'Roll out']],
  ];
  for (const [q, found] of cases) {
    const list = await app.admin.call(templates.list, { params, query: { q } });
    expect([q, list.map(({ name }) => name).toSorted()]).toEqual([q, found]);
  }
  const sorted = { q: 'night', order: 'desc', limit: 1 } as const;
  const [first] = await app.admin.call(templates.list, { params, query: sorted });
  expect(['Backup', 'Back_up']).toContain(first?.name);
});

test('the pages of a list lead from one to the next, with every task once', async () => {
  const { app, params, template, launch } = await start();
  const ids: number[] = [];
  for (const message of ['a&b 1', 'other', 'a&b 2', 'a&b 3', 'a&b 4', 'a&b 5']) {
    ids.unshift((await launch(message)).id);
  }
  const walk = async (first: string) => {
    const pages: number[][] = [];
    let url: string | undefined = first;
    while (url !== undefined && pages.length < 10) {
      const answer = await app.admin.raw({ method: 'GET', url });
      expect(answer.statusCode).toBe(200);
      pages.push(answer.json<{ id: number }[]>().map(({ id }) => id));
      url = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link']))?.[1];
    }
    return pages;
  };
  const at = `/api/project/${params.project_id}`;
  const [f, e, d, c, , a] = ids;
  for (const list of ['tasks', 'tasks/last', `templates/${template.id}/tasks`]) {
    expect(await walk(`${at}/${list}?limit=2`)).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect(await walk(`${at}/${list}?q=a%26b&limit=3&status=waiting`)).toEqual([
      [f, e, d],
      [c, a],
    ]);
    expect(await walk(`${at}/${list}?limit=6`)).toEqual([ids]);
    expect(await walk(`${at}/${list}`)).toEqual([ids]);
    expect(await walk(`${at}/${list}?limit=4&before=${a}`)).toEqual([[]]);
  }
});

test('letters that are not of ASCII are found in both cases', async () => {
  const { app, params, launch } = await start();
  const { id } = await launch('Übung ÉTÉ');
  for (const q of ['übung', 'ÜBUNG', 'été']) {
    const list = await app.admin.call(tasks.list, { params, query: { q } });
    expect([q, list.map((task) => task.id)]).toEqual([q, [id]]);
  }
});

test('the newest tasks are 200 when nothing else is asked for, and lead on to the others', async () => {
  const { app, params, launch } = await start();
  const { id } = await launch('First');
  const row = await app.ctx.db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { id: _first, ...copy } = row;
  const copies = Array.from({ length: 200 }, () => copy);
  await app.ctx.db.insertInto('tasks').values(copies).execute();
  const last = await app.admin.ask(tasks.last, { params });
  expect(last.body).toHaveLength(200);
  const url = `/api/project/${params.project_id}/tasks/last?before=${id + 1}`;
  expect(last.headers['link']).toBe(`<${url}>; rel="next"`);
  const all = await app.admin.ask(tasks.list, { params });
  expect([all.body.length, all.headers['link']]).toEqual([201, undefined]);
});

test('a text that cannot be looked for is refused', async () => {
  const { app, params } = await start();
  for (const q of ['x'.repeat(251), 'a\u0000b', 'a\nb']) {
    for (const endpoint of [tasks.list, templates.list]) {
      const { status, body } = await app.admin.ask(endpoint, { params, query: { q } });
      expect([status, body.fields?.[0]?.path]).toEqual([400, 'q']);
    }
  }
});
