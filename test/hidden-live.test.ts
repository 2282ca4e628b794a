// Websockets tell nothing of what is hidden, and what was taken away is not told any more.

import { expect, test } from 'vitest';
import { grants, restrictions } from '#shared/api/grants.ts';
import type { ServerMessage } from '#shared/api/live.ts';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { type Caller, testApp } from './helpers/app.ts';
import { connect } from './helpers/live.ts';
import { seedProject } from './helpers/seed.ts';
import { launch, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

async function start(runner = true) {
  const app = await testApp({ runner });
  const address = await app.listen();
  const seed = await seedProject(app.admin, { 'play.yml': 'echo hello\n' });
  const params = { project_id: seed.projectId };
  const open = await seed.template({ name: 'Open' });
  const secret = await seed.template({ name: 'Secret' });
  const object = { object_type: 'template' as const, object_id: secret.id };
  const restrict = (mode: 'open' | 'hidden') =>
    app.admin.call(restrictions.set, { params, body: { ...object, mode } });
  const run = async (template: { id: number }) =>
    untilFinished(app.admin, await launch(app.admin, seed.projectId, { template_id: template.id }));
  /** A client of the project, and one that subscribes to nothing. */
  const follow = async ({ cookie }: Caller) => {
    const [plain, asking] = [
      await connect(address, { cookie }),
      await connect(address, { cookie }),
    ];
    asking.send({ type: 'subscribe', topic: 'project', project_id: seed.projectId });
    await asking.untilMessage('subscribed');
    return { plain: plain.messages, asking: asking.messages };
  };
  const askLog = async ({ cookie }: Caller, task_id: number) => {
    const client = await connect(address, { cookie });
    client.send({ type: 'subscribe', topic: 'task_log', ...params, task_id, after: 0 });
    const codes = () =>
      client.messages.flatMap((one) => (one.type === 'refused' ? one.code : one.type));
    return { client, codes };
  };
  return { app, seed, params, open, secret, object, restrict, run, follow, askLog };
}

/** The tasks that messages are about. */
const tasksIn = (messages: ServerMessage[]): Set<number> =>
  new Set(
    messages.flatMap((one) =>
      one.type === 'task' ? one.task.id : 'task_id' in one ? (one.task_id ?? []) : [],
    ),
  );

test('nobody is told of hidden tasks, from the restriction to the grant', async () => {
  const { app, seed, params, open, secret, object, restrict, run, follow, askLog } = await start();
  const manager = await app.member(seed.projectId, 'manager');
  const owner = await app.member(seed.projectId, 'owner');
  const first = await run(secret);
  const [theirs, all] = [await follow(manager), await follow(owner)];
  await restrict('hidden');
  const hidden = await run(secret);
  const shown = await run(open);
  for (const messages of [all.plain, all.asking]) {
    await until(() => tasksIn(messages).has(hidden.id) && tasksIn(messages).has(shown.id));
  }
  for (const messages of [theirs.plain, theirs.asking]) {
    await until(() => tasksIn(messages).has(shown.id));
    expect([...tasksIn(messages)]).toEqual([shown.id]);
  }
  expect(JSON.stringify([theirs.plain, theirs.asking])).not.toContain('Secret');
  for (const id of [first.id, hidden.id, 987_654]) {
    const { client, codes } = await askLog(manager, id);
    await client.untilMessage('refused');
    expect(codes()).toEqual(['task.not_found']);
  }

  const body = { ...object, user_id: manager.userId, role: 'guest' };
  const { id } = await app.admin.call(grants.create, { params, body });
  const granted = await run(secret);
  for (const messages of [theirs.plain, theirs.asking]) {
    await until(() => tasksIn(messages).has(granted.id));
  }
  await app.admin.call(grants.remove, { params: { ...params, grant_id: id } });
  const [late, last] = [await run(secret), await run(open)];
  for (const messages of [theirs.plain, theirs.asking]) {
    await until(() => tasksIn(messages).has(last.id));
    expect(tasksIn(messages).has(late.id)).toBe(false);
  }
});

test('an open log ends when its template is restricted, or moved into a restricted view', async () => {
  const { app, seed, params, open, secret, restrict, askLog } = await start(false);
  const manager = await app.member(seed.projectId, 'manager');
  const view = await app.admin.call(views.create, { params, body: { title: 'Hidden' } });
  const mode = { object_type: 'view' as const, object_id: view.id, mode: 'hidden' as const };
  await app.admin.call(restrictions.set, { params, body: mode });
  const moves = [
    { template: secret, hide: () => restrict('hidden') },
    {
      template: open,
      hide: () =>
        app.admin.call(templates.bulk, {
          params,
          body: { action: 'change', ids: [open.id], values: { view_id: view.id } },
        }),
    },
  ];
  for (const { template, hide } of moves) {
    // No runner takes it, so its log stays open.
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const { client, codes } = await askLog(manager, task.id);
    await client.untilMessage('subscribed');
    await hide();
    const line = { projectId: seed.projectId, taskId: task.id, after: 0, output: 'Password: ' };
    await until(() => {
      app.ctx.hub.publish('log.partial-line', line);
      return codes().includes('task.not_found');
    });
    const before = client.messages.length;
    app.ctx.hub.publish('log.partial-line', line);
    await app.admin.call(templates.list, { params });
    expect(client.messages.length).toBe(before);
  }
});
