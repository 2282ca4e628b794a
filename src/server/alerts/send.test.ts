// Release on PostgreSQL: it is about the requests that are sent.
// The requests that each type of receiver gets about a real task.

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AlertType } from '#shared/alerts.ts';
import { projects } from '#shared/api/projects.ts';
import { addChannel, alertConfig, runTo, untilTried } from '../../../test/helpers/alerts.ts';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { startReceiver, type Received } from '../../../test/helpers/receiver.ts';

const hostile = `"<script>alert(1)</script>' & \\`;

interface Case {
  type: Exclude<AlertType, 'email' | 'telegram'>;
  /** The path after the address of the receiver. */
  path: string;
  secret?: string;
  /** The path at which the request arrives. */
  arrives: string;
  headers?: Record<string, string>;
  /** A part of the body. */
  says: object;
}

const title = (id: number): string => `Task #${id} of "${hostile}" failed`;
const escaped = `"&lt;script&gt;alert(1)&lt;/script&gt;' &amp; \\`;

const cases: Case[] = [
  {
    type: 'slack',
    path: '/services/T0/B0/X',
    arrives: '/services/T0/B0/X',
    says: { text: expect.stringContaining(escaped), attachments: [{ color: '#d64545' }] },
  },
  {
    type: 'mattermost',
    path: '/hooks/abc',
    arrives: '/hooks/abc',
    says: { text: expect.stringContaining(escaped) },
  },
  {
    type: 'teams',
    path: '/workflows/1?sig=x',
    arrives: '/workflows/1?sig=x',
    says: { type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] },
  },
  {
    type: 'gotify',
    path: '/',
    secret: 'token-1',
    arrives: '/message',
    headers: { 'x-gotify-key': 'token-1' },
    says: { priority: 8, message: expect.stringContaining(`Template: ${hostile}`) },
  },
  {
    type: 'ntfy',
    path: '/trains',
    secret: 'token-2',
    arrives: '/',
    headers: { authorization: 'Bearer token-2' },
    says: { topic: 'trains', priority: 4 },
  },
  {
    type: 'webhook',
    path: '/hook',
    arrives: '/hook',
    says: { event: 'failed', task: { status: 'error', template: { name: hostile } } },
  },
];

test.each(cases)('$type', async ({ type, path, secret = '', arrives, headers, says }) => {
  const { app, seed } = await appWithProject(null, { config: alertConfig() });
  const receiver = await startReceiver();
  const template = await seed.template({ name: hostile });
  await addChannel(app.admin, seed.projectId, { type, address: receiver.url + path, secret });
  const task = await runTo(app, seed.projectId, { template_id: template.id }, 'error');
  const [delivery] = await untilTried(app.admin, seed.projectId);
  expect(delivery).toMatchObject({ status: 'sent', answer_status: 200, event: 'failed' });
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received as [Received];
  expect([request.method, request.path]).toEqual(['POST', arrives]);
  expect(request.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
  expect(JSON.parse(request.body)).toMatchObject(says);
  const where = `/project/${seed.projectId}/templates/${template.id}?t=${task.id}`;
  expect(request.body).toContain(`https://signalbox.example${where}`);
  expect(titlesOf(request.body)).toContain(title(task.id));
});

/** All texts of a body, with the escaped characters of Slack put back. */
function titlesOf(body: string): string[] {
  const texts: string[] = [];
  JSON.parse(body, (_name, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.map((text) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
}

test('a webhook with a secret is signed over exactly its body', async () => {
  const { app, seed } = await appWithProject(null, { config: alertConfig() });
  const receiver = await startReceiver();
  const { id } = await seed.template({ name: 'Grüße 🚂' });
  const secret = 'shared-secret';
  await addChannel(app.admin, seed.projectId, { address: receiver.url, secret });
  await addChannel(app.admin, seed.projectId, { address: `${receiver.url}/unsigned` });
  await runTo(app, seed.projectId, { template_id: id }, 'error');
  await untilTried(app.admin, seed.projectId, { alerts: 2 });
  const [signed, unsigned] = receiver.received.toSorted((a, b) => a.path.length - b.path.length);
  const signature = createHmac('sha256', secret)
    .update(signed?.body ?? '')
    .digest('hex');
  expect(signed?.headers['x-signalbox-signature']).toBe(`sha256=${signature}`);
  expect(unsigned?.headers['x-signalbox-signature']).toBeUndefined();
  const ids = receiver.received.map(({ headers }) => headers['x-signalbox-delivery']);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toContain((JSON.parse(signed?.body ?? '{}') as { id: string }).id);
});

test('Telegram: a bot of the channel, and the bot of the server for the chat of the project', async () => {
  const receiver = await startReceiver();
  const settings = { telegramApi: `${receiver.url}/api`, telegramToken: '99:server-bot' };
  const { app, seed } = await appWithProject(null, { config: alertConfig(settings) });
  const { id } = await seed.template({ name: hostile });
  await app.admin.call(projects.update, {
    params: { project_id: seed.projectId },
    body: { name: 'Trains', alert: true, alert_chat: '-100200' },
  });
  const own = { type: 'telegram', chat: '@trains', secret: '12:own-bot', address: '' } as const;
  await addChannel(app.admin, seed.projectId, own);
  await runTo(app, seed.projectId, { template_id: id }, 'error');
  await untilTried(app.admin, seed.projectId, { alerts: 2 });
  const sent = receiver.received.map(({ path, body }) => {
    const { chat_id: chat, parse_mode: mode, text } = JSON.parse(body) as Record<string, string>;
    return {
      path,
      chat,
      mode,
      hasScript: text?.includes('<script'),
      isBold: text?.includes('<b>'),
    };
  });
  const form = { mode: 'HTML', hasScript: false, isBold: true };
  expect(sent.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: '/api/bot12:own-bot/sendMessage', chat: '@trains', ...form },
    { path: '/api/bot99:server-bot/sendMessage', chat: '-100200', ...form },
  ]);
});
