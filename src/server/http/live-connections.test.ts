// Release on PostgreSQL: it is about websockets.
// Slow: hundreds of websockets.
// How many connections a user may have, and how soon the loss of a right takes effect.

import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { expect, test } from 'vitest';
import { members } from '#shared/api/members.ts';
import { session } from '#shared/api/session.ts';
import { tokens } from '#shared/api/tokens.ts';
import { users } from '#shared/api/users.ts';
import { closeCodes, MAX_CONNECTIONS } from '#shared/api/live.ts';
import { testApp, type Caller, type TestApp } from '../../../test/helpers/app.ts';
import { connect, type LiveConnection } from '../../../test/helpers/live.ts';
import { seedProject } from '../../../test/helpers/seed.ts';
import { launch, untilFinished } from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';

async function setUp() {
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const seed = await seedProject(app.admin, { 'play.yml': 'echo hello\n' });
  const template = await seed.template();
  const run = async () =>
    untilFinished(app.admin, await launch(app.admin, seed.projectId, { template_id: template.id }));
  return { app, address, seed, run };
}

/** Settles when the last message of a run has arrived. */
const untilTold = (client: LiveConnection): Promise<unknown> =>
  until(() => client.messages.some((one) => one.type === 'update' && one.status === 'success'));

const several = (count: number, open: () => Promise<LiveConnection>): Promise<LiveConnection[]> =>
  Promise.all(Array.from({ length: count }, open));

test('somebody may have twenty, and is told so at the next', async () => {
  const { app, address } = await setUp();
  const ada = await app.user('ada');
  const open = () => connect(address, { cookie: ada.cookie });
  const [first] = await several(MAX_CONNECTIONS, open);
  expect(MAX_CONNECTIONS).toBe(20);
  const tooMany = await open();
  expect(await tooMany.closed).toBe(closeCodes.tooMany);
  // A token of the same user ends no connection; other users are not affected.
  const { token } = await ada.call(tokens.create, { body: { scope: 'read' } });
  const byToken = await connect(address, { authorization: `Bearer ${token}` });
  expect(await byToken.closed).toBe(closeCodes.tooMany);
  const other = await connect(address, { cookie: app.admin.cookie });
  first?.socket.close();
  await first?.closed;
  const next = await open();
  for (const one of [next, other]) expect(one.socket.readyState).toBe(one.socket.OPEN);
});

test('a client that breaks off while it is refused does no harm', async () => {
  const { app, address } = await setUp();
  const closed = new Promise((resolve) => {
    app.app.http.server.once('connection', (connection) => connection.once('close', resolve));
  });
  const socket = openSocket(Number(new URL(address).port), '127.0.0.1');
  const head = ['GET /api/ws HTTP/1.1', `Host: ${new URL(address).host}`, 'Connection: Upgrade'];
  socket.write(`${[...head, 'Upgrade: websocket'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.resetAndDestroy();
  expect(await closed).toBe(true);
  await connect(address, { cookie: app.admin.cookie });
});

/** Events that end the rights of a member at once, though nothing happens in the project. */
const ends: [title: string, end: (app: TestApp, member: Caller) => Promise<unknown>][] = [
  ['signing out', (_app, member) => member.call(session.signOut, {})],
  [
    'the end of the session by its user',
    async (_app, member) => {
      const [own] = await member.call(session.list, {});
      await member.call(session.revoke, { params: { session_id: own?.id ?? 0 } });
    },
  ],
  [
    'another password',
    (app, member) =>
      app.admin.call(users.password, {
        params: { user_id: member.userId },
        body: { password: 'another long password' },
      }),
  ],
  [
    'the end of the account',
    (app, member) => app.admin.call(users.remove, { params: { user_id: member.userId } }),
  ],
];

test.each(ends)('%s closes an idle one at once', async (_title, end) => {
  const { app, address, seed } = await setUp();
  const member = await app.member(seed.projectId, 'guest');
  const idle = await connect(address, { cookie: member.cookie });
  await end(app, member);
  expect(await idle.closed).toBe(closeCodes.signedOut);
});

test('a token that is deleted sees nothing more', async () => {
  const { app, address, run } = await setUp();
  const made = await app.admin.call(tokens.create, { body: { scope: 'read' } });
  const client = await connect(address, { authorization: `Bearer ${made.token}` });
  await run();
  await untilTold(client);
  await app.admin.call(tokens.remove, { params: { token_id: made.id } });
  client.messages.length = 0;
  await run();
  expect(await client.closed).toBe(closeCodes.signedOut);
  expect(client.messages).toEqual([]);
});

test('a new member is told of what happens from then on, and a former one of nothing', async () => {
  const { app, address, seed, run } = await setUp();
  const ada = await app.user('ada');
  const client = await connect(address, { cookie: ada.cookie });
  await run();
  expect(client.messages).toEqual([]);
  const params = { project_id: seed.projectId, user_id: ada.userId };
  await app.admin.call(members.create, { params, body: { user_id: ada.userId, role: 'guest' } });
  await run();
  await untilTold(client);
  await app.admin.call(members.remove, { params });
  client.messages.length = 0;
  await run();
  expect(client.messages).toEqual([]);
  expect(client.socket.readyState).toBe(client.socket.OPEN);
});

test('who makes a project is told of it, and an administrator of all that come', async () => {
  const { app, address } = await setUp();
  const client = await connect(address, { cookie: app.admin.cookie });
  const own = await seedProject(app.admin, { 'play.yml': 'echo hello\n' });
  const template = await own.template();
  await untilFinished(
    app.admin,
    await launch(app.admin, own.projectId, { template_id: template.id }),
  );
  await untilTold(client);
  expect(client.messages.at(-1)).toMatchObject({ project_id: own.projectId });
});

test('a change by a command beside the server takes effect a moment later', async () => {
  const { app, address, seed, run } = await setUp();
  const member = await app.member(seed.projectId, 'guest');
  const client = await connect(address, { cookie: member.cookie });
  await run();
  await untilTold(client);
  await app.ctx.db.deleteFrom('sessions').where('user_id', '=', member.userId).execute();
  app.clock.advance(5001);
  client.messages.length = 0;
  await run();
  expect(await client.closed).toBe(closeCodes.signedOut);
  expect(client.messages).toEqual([]);
});
