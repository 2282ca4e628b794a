// Release on PostgreSQL: it is about the conversation with mail servers.
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { projects } from '#shared/api/projects.ts';
import { users } from '#shared/api/users.ts';
import {
  addChannel,
  alertConfig,
  listAlerts,
  runTo,
  untilTried,
} from '../../../test/helpers/alerts.ts';
import { testApp, type Caller, type TestApp } from '../../../test/helpers/app.ts';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { startMailServer } from '../../../test/helpers/mail-server.ts';
import { seedProject } from '../../../test/helpers/seed.ts';

async function start(smtpUrl: string) {
  const config = alertConfig({ smtpUrl, smtpFrom: 'Trains <trains@example.com>' });
  const app = await testApp({ config });
  return { app, seed: await seedProject(app.admin, null) };
}

function addMail(app: TestApp, projectId: number, addresses: string[]) {
  return addChannel(app.admin, projectId, { type: 'email', addresses, address: '' });
}

test('one message goes to all addresses of a channel, with login and without TLS', async () => {
  const login = { user: 'robot', password: 'pa/ss:word@' };
  const server = await startMailServer({ login });
  const account = `${login.user}:${encodeURIComponent(login.password)}`;
  const { app, seed } = await start(`smtp://${account}@127.0.0.1:${server.port}`);
  const name = 'Deploy <script>alert(1)</script>';
  const template = await seed.template({ name });
  await addMail(app, seed.projectId, ['ops@example.com', 'dev@example.com']);
  const task = await runTo(app, seed.projectId, { template_id: template.id }, 'error');
  const [delivery] = await untilTried(app.admin, seed.projectId);
  expect(delivery).toMatchObject({ status: 'sent', answer_status: 250, error: null });
  expect(server.mails).toMatchObject([
    {
      from: 'trains@example.com',
      to: ['ops@example.com', 'dev@example.com'],
      subject: `Task #${task.id} of "${name}" failed`,
    },
  ]);
  const text = server.mails[0]?.text ?? '';
  expect(text).toContain('From: Trains <trains@example.com>');
  expect(text).toMatch(/^Message-ID: <\d+-\d+@signalbox>\r?$/m);
  expect(text).toContain('Content-Type: text/plain');
  expect(text).toContain('Content-Type: text/html');
  expect(text).toContain('&lt;script&gt;');
});

test('no name becomes a header', async () => {
  const server = await startMailServer();
  const { app, seed } = await start(`smtp://127.0.0.1:${server.port}`);
  const { id } = await seed.template({ name: 'Deploy' });
  await app.ctx.db
    .updateTable('templates')
    .set({ name: 'Deploy\r\nBcc: evil@example.com\r\n\r\nHello' })
    .where('id', '=', id)
    .execute();
  await addMail(app, seed.projectId, ['ops@example.com']);
  await runTo(app, seed.projectId, { template_id: id }, 'error');
  await untilTried(app.admin, seed.projectId);
  expect(server.mails.map(({ to }) => to)).toEqual([['ops@example.com']]);
  const [headers = ''] = (server.mails[0]?.text ?? '').split('\r\n\r\n');
  expect(server.mails[0]?.subject).toContain('"Deploy Bcc: evil@example.com Hello" failed');
  expect(headers).not.toMatch(/^(?:Bcc|Hello)/m);
});

test('a wrong login is tried again, and neither login nor answer is told', async () => {
  const server = await startMailServer({ login: { user: 'robot', password: 'right' } });
  const { app, seed } = await start(`smtp://robot:canary-wrong@127.0.0.1:${server.port}`);
  const { id } = await seed.template();
  const channel = await addMail(app, seed.projectId, ['ops@example.com']);
  await runTo(app, seed.projectId, { template_id: id }, 'error');
  const [delivery] = await untilTried(app.admin, seed.projectId);
  expect(delivery).toMatchObject({
    status: 'pending',
    answer_status: 535,
    error_code: 'mail_login',
    error: 'The mail server refused the login of Signalbox.',
  });
  const at = { params: { project_id: seed.projectId, alert_channel_id: channel.id } };
  const tested = await app.admin.call(alertChannels.test, at);
  expect(tested).toMatchObject({ delivered: false, status: 535, error_code: 'mail_login' });
  const rows = await app.ctx.db.selectFrom('alert_deliveries').selectAll().execute();
  expect(JSON.stringify([delivery, tested, rows])).not.toContain('canary');
  expect(server.mails).toEqual([]);
});

test('what the mail server refuses for good is not tried again, and what it puts off is', async () => {
  let code = 550;
  const server = await startMailServer({
    onRcptTo({ address }, _session, callback) {
      const refusal = Object.assign(new Error('canary'), { responseCode: code });
      callback(address.startsWith('good') ? null : refusal);
    },
  });
  const { app, seed } = await start(`smtp://127.0.0.1:${server.port}`);
  const { id } = await seed.template();
  const run = () => runTo(app, seed.projectId, { template_id: id }, 'error');
  await addMail(app, seed.projectId, ['bad@example.com']);
  await run();
  const [first] = await untilTried(app.admin, seed.projectId);
  expect(first).toMatchObject({ status: 'failed', answer_status: 550, error_code: 'mail_refused' });
  code = 451;
  await run();
  const [, second] = await untilTried(app.admin, seed.projectId, { alerts: 2 });
  expect(second).toMatchObject({ status: 'pending', answer_status: 451 });
  await addMail(app, seed.projectId, ['good@example.com', 'bad@example.com']);
  await run();
  const list = await untilTried(app.admin, seed.projectId, { alerts: 4 });
  expect(list.find(({ status }) => status === 'sent')).toMatchObject({
    error_code: 'mail_some_refused',
  });
  expect(server.mails.map(({ to }) => to)).toEqual([['good@example.com']]);
});

test('a mail server that says nothing is left in time, and one that is not there is told', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<{ destroy: () => void }>();
  silent.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const config = alertConfig();
  const { app, seed } = await appWithProject(null, { config });
  const outcomes: unknown[] = [];
  for (const port of [(silent.address() as AddressInfo).port, 1]) {
    config.alerts.smtpUrl = `smtp://127.0.0.1:${port}`;
    const { id } = await addMail(app, seed.projectId, ['ops@example.com']);
    const at = { params: { project_id: seed.projectId, alert_channel_id: id } };
    outcomes.push((await app.admin.call(alertChannels.test, at)).error_code);
  }
  expect(outcomes).toEqual(['timeout', 'connection']);
});

test('members who want it get mail of failures, each of their own, as the project says', async () => {
  const server = await startMailServer();
  const { app, seed } = await start(`smtp://127.0.0.1:${server.port}`);
  const { id } = await seed.template();
  const params = { project_id: seed.projectId };
  const people = [
    await app.member(seed.projectId, 'guest'),
    await app.member(seed.projectId, 'owner'),
    await app.member(seed.projectId, 'manager'),
  ];
  const wants = async (who: Caller, alert: boolean): Promise<void> => {
    const at = { user_id: who.userId };
    const { username, name, email } = (await app.admin.call(users.one, {
      params: at,
    })) as { username: string; name: string; email: string };
    await app.admin.call(users.update, {
      params: at,
      body: { username, name, email, alert },
    });
  };
  const [guest, owner] = people as [Caller, Caller, Caller];
  await wants(guest, true);
  await wants(owner, true);
  // Of another project.
  await wants(await app.user('stranger'), true);
  await runTo(app, seed.projectId, { template_id: id }, 'error');
  expect(await listAlerts(app.admin, seed.projectId)).toEqual([]);
  const body = { name: 'Trains', alert: true };
  await app.admin.call(projects.update, { params, body });
  for (const end of ['success', 'stopped', 'error'] as const) {
    await runTo(app, seed.projectId, { template_id: id }, end);
  }
  const list = await untilTried(app.admin, seed.projectId, { alerts: 2 });
  expect(list.map((one) => [one.event, one.recipient, one.user_id, one.status])).toEqual([
    ['failed', 'member', guest.userId, 'sent'],
    ['failed', 'member', owner.userId, 'sent'],
  ]);
  expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual([
    'guest-1@example.com',
    'owner-2@example.com',
  ]);
  const isOwn = server.mails.map(({ to, text }) => text.includes(`\r\nTo: ${to[0]}\r\n`));
  expect(isOwn).toEqual([true, true]);
});
