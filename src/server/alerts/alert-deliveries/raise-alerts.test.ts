// Which alerts are raised by everything that a task can do.

import { expect, test } from 'vitest';
import { type AlertEvent, alertEvents } from '#shared/alerts.ts';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { projects } from '#shared/api/projects.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import {
  addChannel,
  alertConfig,
  finish,
  listAlerts,
  runTo,
} from '../../../../test/helpers/alerts.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { claimNext, launch } from '../../../../test/helpers/tasks.ts';
import { endTask, moveTask } from '../../automation/tasks/move-task.ts';

// The server refuses this address before it connects.
const address = 'http://127.0.0.1:9/';

async function start() {
  const { app, seed } = await appWithProject(null);
  const add = (events: AlertEvent[], templateIds: number[] = []) =>
    addChannel(app.admin, seed.projectId, { address, events, template_ids: templateIds });
  const run = (id: number, end: 'success' | 'error' | 'stopped') =>
    runTo(app, seed.projectId, { template_id: id }, end);
  const told = async () =>
    (await listAlerts(app.admin, seed.projectId)).map((one) => [one.task_id, one.event]);
  return { app, seed, params: { project_id: seed.projectId }, add, run, told };
}

test('each event is told to the channels that want it, once to each', async () => {
  const { app, seed, params, add, run, told } = await start();
  const template = await seed.template();
  const asking = await seed.template({ requires_confirmation: true });
  const [all] = [await add([...alertEvents]), await add(['stopped'])];
  const first = await run(template.id, 'success');
  const second = await run(template.id, 'error');
  const third = await run(template.id, 'success');
  const fourth = await run(template.id, 'success');
  const fifth = await run(template.id, 'stopped');
  const waiting = await launch(app.admin, seed.projectId, { template_id: asking.id });
  expect(await claimNext(app.ctx)).toBeNull();
  await app.admin.call(tasks.stop, { params: { ...params, task_id: waiting.id }, body: {} });
  expect(await told()).toEqual([
    [first.id, 'succeeded'],
    [second.id, 'failed'],
    [third.id, 'recovered'],
    [fourth.id, 'succeeded'],
    [fifth.id, 'stopped'],
    [fifth.id, 'stopped'],
    [waiting.id, 'waiting'],
    [waiting.id, 'stopped'],
    [waiting.id, 'stopped'],
  ]);
  const [newest] = (await listAlerts(app.admin, seed.projectId)).toReversed();
  expect(newest).toMatchObject({ template_id: asking.id, template_name: asking.name });
  const at = { params: { ...params, alert_channel_id: all.id } };
  const one = await app.admin.call(alertChannels.one, at);
  expect(one.events).toEqual([...alertEvents]);
});

test('a channel hears of its templates only, and none when it is switched off', async () => {
  const { app, seed, params, add, run, told } = await start();
  const [one, two] = [await seed.template(), await seed.template()];
  await add(['failed'], [one.id]);
  const off = await add(['failed']);
  await app.admin.call(alertChannels.update, {
    params: { ...params, alert_channel_id: off.id },
    body: { name: off.name, type: 'webhook', active: false },
  });
  const other = await start();
  await other.add(['failed']);
  const { id } = await run(one.id, 'error');
  await run(two.id, 'error');
  expect(await told()).toEqual([[id, 'failed']]);
  expect(await other.told()).toEqual([]);
});

test('of attempts only the last one fails, and the first that succeeds is no recovery', async () => {
  const { app, seed, add, run, told } = await start();
  const template = await seed.template({ retries: 2, retry_delay_s: 1 });
  await add([...alertEvents]);
  const attempts = [(await run(template.id, 'error')).id];
  const tryNext = async (end: 'success' | 'error' | 'stopped'): Promise<void> => {
    app.clock.advance(3_600_000);
    const id = (attempts.at(-1) ?? 0) + 1;
    await finish(app, { id, project_id: seed.projectId }, end);
    attempts.push(id);
  };
  expect(await told()).toEqual([]);
  await tryNext('success');
  expect(await told()).toEqual([[attempts[1], 'succeeded']]);
  attempts.push((await run(template.id, 'error')).id);
  await tryNext('error');
  await tryNext('error');
  const failed = [attempts.at(-1), 'failed'];
  expect(await told()).toEqual([[attempts[1], 'succeeded'], failed]);
  // A stopped task neither fails nor ends the failure.
  const stopped = await run(template.id, 'error').then(async ({ id }) => {
    attempts.push(id);
    await tryNext('stopped');
    return attempts.at(-1);
  });
  const good = await run(template.id, 'success');
  expect((await told()).slice(1)).toEqual([failed, [stopped, 'stopped'], [good.id, 'recovered']]);
});

test('a task that was told to stop is told as stopped, whatever came of it', async () => {
  const { app, seed, params, add, told } = await start();
  const template = await seed.template({ retries: 3 });
  await add([...alertEvents]);
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await claimNext(app.ctx);
  await moveTask(app.ctx, task, 'running');
  await app.admin.call(tasks.stop, { params: { ...params, task_id: task.id }, body: {} });
  expect(await endTask(app.ctx, task, 'error')).toBe(true);
  expect(await endTask(app.ctx, task, 'error')).toBe(false);
  expect(await told()).toEqual([[task.id, 'stopped']]);
});

test('an end that is rolled back has told nobody', async () => {
  const { app, seed, add, told } = await start();
  const template = await seed.template();
  await add([...alertEvents]);
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await claimNext(app.ctx);
  await moveTask(app.ctx, task, 'running');
  const failing = app.ctx.db.transaction().execute(async (db) => {
    await endTask({ ...app.ctx, db }, task, 'error');
    throw new Error('the end');
  });
  await expect(failing).rejects.toThrow('the end');
  expect(await told()).toEqual([]);
  expect(await endTask(app.ctx, task, 'error')).toBe(true);
  expect(await told()).toEqual([[task.id, 'failed']]);
});

test('a template can be silent about success, and still tells that a failure is over', async () => {
  const { seed, add, run, told } = await start();
  const template = await seed.template({ suppress_success_alerts: true });
  await add(['succeeded']);
  await add([...alertEvents]);
  await run(template.id, 'success');
  const bad = await run(template.id, 'error');
  const good = await run(template.id, 'success');
  expect(await told()).toEqual([
    [bad.id, 'failed'],
    [good.id, 'recovered'],
  ]);
});

test('a body without the field leaves a template talkative', async () => {
  const { app, seed, params } = await start();
  const template = await seed.template({ suppress_success_alerts: true });
  expect(template.suppress_success_alerts).toBe(true);
  const { suppress_success_alerts: _field, ...body } = template;
  const at = { params: { ...params, template_id: template.id } };
  await app.admin.call(templates.update, { ...at, body });
  expect(await app.admin.call(templates.one, at)).toMatchObject({ suppress_success_alerts: false });
});

test('the chat of a project hears of failures and successes, while project and server have it', async () => {
  const config = alertConfig({ telegramToken: null, telegramApi: address });
  const { app, seed } = await appWithProject(null, { config });
  const [talkative, silent] = [
    await seed.template(),
    await seed.template({ suppress_success_alerts: true }),
  ];
  const run = (id: number, end: 'success' | 'error' | 'stopped') =>
    runTo(app, seed.projectId, { template_id: id }, end);
  const set = (alert: boolean, chat: string) =>
    app.admin.call(projects.update, {
      params: { project_id: seed.projectId },
      body: { name: 'Trains', alert, alert_chat: chat },
    });
  await set(true, '-100');
  await run(talkative.id, 'error');
  config.alerts.telegramToken = '1:a';
  await set(false, '-100');
  await run(talkative.id, 'error');
  await set(true, '');
  await run(talkative.id, 'error');
  expect(await listAlerts(app.admin, seed.projectId)).toEqual([]);
  await set(true, '-100');
  for (const { id } of [talkative, silent]) {
    for (const end of ['success', 'error', 'stopped'] as const) await run(id, end);
  }
  const list = await listAlerts(app.admin, seed.projectId);
  expect(list.map((one) => [one.template_id, one.event, one.recipient])).toEqual([
    [talkative.id, 'succeeded', 'chat'],
    [talkative.id, 'failed', 'chat'],
    [silent.id, 'failed', 'chat'],
  ]);
});
