// Release on PostgreSQL: it is about the requests that are sent, and the times between them.
// How alerts are sent, tried again, and given up.

import { expect, test } from 'vitest';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { alertDeliveries } from '#shared/api/alert-deliveries.ts';
import {
  addChannel,
  alertConfig,
  listAlerts,
  runTo,
  untilTried,
} from '../../../../test/helpers/alerts.ts';
import { type TestApp, type TestOptions } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { startReceiver, type Receiver } from '../../../../test/helpers/receiver.ts';
import { claimNext, launch } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { tidyDeliveries } from './alert-deliveries.ts';
import { endTask, moveTask } from '../../automation/tasks/move-task.ts';
import { Sender } from './sender.ts';

async function start(options: TestOptions = {}) {
  const { app, seed } = await appWithProject(null, { config: alertConfig(), ...options });
  const receiver = await startReceiver();
  const template = await seed.template();
  const channel = await addChannel(app.admin, seed.projectId, { address: receiver.url });
  const fail = () => runTo(app, seed.projectId, { template_id: template.id }, 'error');
  return { app, projectId: seed.projectId, receiver, channel, template, fail };
}

/** Sets the clock forward, as if so much time had passed. */
function pass(app: TestApp, seconds: number): void {
  app.clock.advance(seconds * 1000);
  app.ctx.hub.publish('alert.added', {});
}

/** A hub that sends no hub events. */
function silent({ ctx }: TestApp): TestApp['ctx']['hub'] {
  const silence = () => undefined;
  return { ...ctx.hub, publish: silence, publishWith: () => Promise.resolve(silence) };
}

const secondsLeft = (app: TestApp, nextTry: string | null | undefined): number =>
  Math.round((Date.parse(String(nextTry)) - app.clock.now().getTime()) / 1000);

const refuse = (receiver: Receiver, status: number, headers: Record<string, string> = {}): void =>
  receiver.answer((response) => response.writeHead(status, headers).end('canary-answer'));

test('what fails is tried again after a while, with the same id, until it arrives', async () => {
  const { app, projectId, receiver, fail } = await start();
  refuse(receiver, 500);
  await fail();
  const [tried] = await untilTried(app.admin, projectId);
  expect(tried).toMatchObject({
    status: 'pending',
    attempts: 1,
    answer_status: 500,
    error: 'The server refused the message.',
    sent: null,
  });
  expect(Math.abs(secondsLeft(app, tried?.next_try) - 60)).toBeLessThan(10);
  pass(app, 30);
  receiver.answer((response) => response.end());
  pass(app, 31);
  const [sent] = await untilTried(app.admin, projectId, { attempts: 2 });
  expect(sent).toMatchObject({ status: 'sent', attempts: 2, answer_status: 200, error: null });
  expect([sent?.next_try, sent?.sent === null]).toEqual([null, false]);
  const ids = receiver.received.map(({ headers }) => headers['x-signalbox-delivery']);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

test('after five attempts it has failed, until somebody sends it again', async () => {
  const { app, projectId, receiver, fail } = await start();
  refuse(receiver, 503);
  await fail();
  const waits: number[] = [];
  for (let attempts = 1; attempts < 5; attempts += 1) {
    const [tried] = await untilTried(app.admin, projectId, { attempts });
    waits.push(secondsLeft(app, tried?.next_try));
    pass(app, 7201);
  }
  expect(waits).toEqual([60, 300, 1800, 7200]);
  const [failed] = await untilTried(app.admin, projectId, { attempts: 5 });
  expect(failed).toMatchObject({ status: 'failed', attempts: 5, next_try: null });
  pass(app, 100_000);
  const at = { params: { project_id: projectId, alert_delivery_id: failed?.id ?? 0 } };
  receiver.answer((response) => response.end());
  await app.admin.call(alertDeliveries.retry, at);
  const [sent] = await until(async () => {
    const list = await listAlerts(app.admin, projectId);
    return list.every(({ status }) => status === 'sent') && list;
  });
  expect(sent).toMatchObject({ attempts: 1, error: null });
  expect(receiver.received).toHaveLength(6);
  const again = await app.admin.ask(alertDeliveries.retry, at);
  expect([again.status, again.body.code]).toEqual([409, 'alert_delivery.not_failed']);
  const other = { params: { ...at.params, alert_delivery_id: 999_999 } };
  const none = await app.admin.ask(alertDeliveries.retry, other);
  expect(none.body.code).toBe('alert_delivery.not_found');
});

test('two servers on one database send each alert once', async () => {
  const { app, projectId, receiver, fail } = await start();
  const others = [new Sender(app.ctx), new Sender(app.ctx)];
  for (const sender of others) sender.loop.start();
  for (let count = 0; count < 6; count += 1) await fail();
  const list = await untilTried(app.admin, projectId, { alerts: 6 });
  await Promise.all(others.map((sender) => sender.close()));
  expect(new Set(list.map(({ status, attempts }) => `${status} ${attempts}`))).toEqual(
    new Set(['sent 1']),
  );
  expect(receiver.received).toHaveLength(6);
});

test('the log of alerts is read page by page, by status and by channel', async () => {
  const { app, projectId, receiver, channel, fail } = await start();
  const quiet = await addChannel(app.admin, projectId, { events: ['stopped'] });
  refuse(receiver, 404);
  for (let count = 0; count < 3; count += 1) await fail();
  await untilTried(app.admin, projectId, { alerts: 3 });
  receiver.answer((response) => response.end());
  await fail();
  const all = (await untilTried(app.admin, projectId, { alerts: 4 })).toReversed();
  const params = { project_id: projectId };
  const ask = (query: object) => app.admin.ask(alertDeliveries.list, { params, query });
  const first = await ask({ limit: 3 });
  expect(first.body).toEqual(all.slice(0, 3));
  const next = /[?&]before=(\d+)/.exec(String(first.headers['link']))?.[1];
  const second = await ask({ limit: 3, before: next });
  expect([second.body, second.headers['link']]).toEqual([all.slice(3), undefined]);
  expect((await ask({ status: 'failed' })).body).toHaveLength(3);
  expect((await ask({ status: 'lost' })).status).toBe(400);
  const of = (id: number) =>
    app.admin.ask(alertDeliveries.ofChannel, { params: { ...params, alert_channel_id: id } });
  expect((await of(channel.id)).body).toEqual(all);
  expect((await of(quiet.id)).body).toEqual([]);
  expect((await of(999_999)).body.code).toBe('alert_channel.not_found');
});

test('alerts are kept for ninety days', async () => {
  const { app, projectId, fail } = await start();
  await fail();
  await untilTried(app.admin, projectId);
  const never = new AbortController().signal;
  app.clock.advance(89 * 86_400_000);
  await tidyDeliveries(app.ctx, never);
  // The session of the administrator has expired by now.
  const kept = () => app.ctx.db.selectFrom('alert_deliveries').select('id').execute();
  expect(await kept()).toHaveLength(1);
  app.clock.advance(2 * 86_400_000);
  await tidyDeliveries(app.ctx, never);
  expect(await kept()).toEqual([]);
});

test.each([
  [400, 'failed'],
  [401, 'failed'],
  [404, 'failed'],
  [410, 'failed'],
  [301, 'failed'],
  [408, 'pending'],
  [429, 'pending'],
  [500, 'pending'],
  [502, 'pending'],
])('the answer %d leaves it %s', async (status, wanted) => {
  const { app, projectId, receiver, fail } = await start();
  const inside = await startReceiver();
  refuse(receiver, status, { Location: inside.url });
  await fail();
  const [tried] = await untilTried(app.admin, projectId);
  expect([tried?.status, tried?.answer_status]).toEqual([wanted, status]);
  expect(inside.received).toEqual([]);
  const rows = await app.ctx.db.selectFrom('alert_deliveries').selectAll().execute();
  expect(JSON.stringify([rows, tried])).not.toContain('canary');
});

test.each([
  ['120', 120],
  ['99999999', 3600],
  ['0', 60],
  ['in ten minutes', 600],
  ['soon', 60],
])('a server that asks for time gets it, up to an hour: %s', async (asked, seconds) => {
  const { app, projectId, receiver, fail } = await start();
  receiver.answer((response) => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const header = asked === 'in ten minutes' ? date : asked;
    response.writeHead(429, { 'Retry-After': header }).end();
  });
  await fail();
  const [tried] = await untilTried(app.admin, projectId);
  expect(Math.abs(secondsLeft(app, tried?.next_try) - seconds)).toBeLessThan(10);
});

test('a receiver that hangs holds up four of them at most, and the task not at all', async () => {
  const limits = { answer: 1500, closing: 2000 };
  const { app, projectId, receiver, template, fail } = await start({
    alertLimits: limits,
  });
  let open = 0;
  let most = 0;
  receiver.answer((response) => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => (open -= 1));
    if (receiver.received.length > 4) response.end();
  });
  // No hub event is sent about these, so that all of them wait when the first one is sent.
  const quiet = { ...app, ctx: { ...app.ctx, hub: silent(app) } };
  for (let count = 0; count < 6; count += 1) {
    await runTo(quiet, projectId, { template_id: template.id }, 'error');
  }
  const began = Date.now();
  await fail();
  const list = await untilTried(app.admin, projectId, { alerts: 7 });
  expect(Date.now() - began).toBeGreaterThan(limits.answer - 100);
  const results = list.map(({ status, error_code }) => [status, error_code]);
  expect(results.filter(([, code]) => code === 'timeout')).toEqual(
    Array.from({ length: 4 }, () => ['pending', 'timeout']),
  );
  expect(results.filter(([status]) => status === 'sent')).toHaveLength(3);
  expect(most).toBe(4);
});

test('whoever is gone meanwhile gets nothing more', async () => {
  const { app, projectId, receiver, channel, fail } = await start();
  refuse(receiver, 500);
  await fail();
  await untilTried(app.admin, projectId);
  const at = { params: { project_id: projectId, alert_channel_id: channel.id } };
  const body = { name: channel.name, type: 'webhook' as const, active: false };
  await app.admin.call(alertChannels.update, { ...at, body });
  pass(app, 61);
  const [gone] = await untilTried(app.admin, projectId, { attempts: 2 });
  expect(gone).toMatchObject({ status: 'failed', error_code: 'recipient_gone' });
  expect(receiver.received).toHaveLength(1);
  await app.admin.call(alertChannels.remove, at);
  expect(await listAlerts(app.admin, projectId)).toMatchObject([
    { id: gone?.id, channel_id: channel.id, channel_name: null },
  ]);
  const again = { params: { project_id: projectId, alert_delivery_id: gone?.id ?? 0 } };
  await app.admin.call(alertDeliveries.retry, again);
  const [deleted] = await untilTried(app.admin, projectId);
  expect(deleted).toMatchObject({ status: 'failed', error_code: 'recipient_gone', attempts: 1 });
});

test('what a server has left unsent is sent by the next one, once', async () => {
  const { app, projectId, receiver, template } = await start();
  const task = await launch(app.admin, projectId, { template_id: template.id });
  await claimNext(app.ctx);
  await moveTask(app.ctx, task, 'running');
  // No hub event says that an alert waits, as if the server had ended right after the transaction.
  await endTask({ ...app.ctx, hub: silent(app) }, task, 'error');
  expect(await listAlerts(app.admin, projectId)).toMatchObject([
    { status: 'pending', attempts: 0 },
  ]);
  expect(receiver.received).toEqual([]);
  const next = new Sender(app.ctx);
  next.loop.start();
  const [sent] = await untilTried(app.admin, projectId);
  expect(sent).toMatchObject({ status: 'sent', attempts: 1 });
  await next.close();
  expect(receiver.received).toHaveLength(1);
});

test('a server that closes does not wait for a receiver that hangs, nor gives up on it', async () => {
  const alertLimits = { answer: 60_000, closing: 100 };
  const { app, projectId, receiver, fail } = await start({ alertLimits });
  receiver.answer(() => undefined);
  await fail();
  await until(() => receiver.received.length === 1);
  const began = Date.now();
  const { db } = app.ctx;
  await app.app.close();
  expect(Date.now() - began).toBeLessThan(30_000);
  const rows = await db.selectFrom('alert_deliveries').selectAll().execute();
  expect(rows).toMatchObject([{ project_id: projectId, status: 'pending', attempts: 1 }]);
  expect(rows[0]?.next_try).not.toBeNull();
});

test('what cannot be opened is told, tried again, and stands in no way of others', async () => {
  const { app, projectId, receiver, channel, fail } = await start();
  await addChannel(app.admin, projectId, { address: receiver.url });
  await app.ctx.db
    .updateTable('alert_channels')
    .set({ address: 'v1:AAAA' })
    .where('id', '=', channel.id)
    .execute();
  await fail();
  const list = await untilTried(app.admin, projectId, { alerts: 2 });
  const results = list.map(({ channel_id: id, status, error_code }) => [id, status, error_code]);
  expect(results).toContainEqual([channel.id, 'pending', 'internal']);
  expect(results.filter(([, status]) => status === 'sent')).toHaveLength(1);
});
