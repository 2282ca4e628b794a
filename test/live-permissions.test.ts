// Who may send and receive which message of the websocket. A changed permission must be changed in
// these tables too, and a new message has to be added.

import { expect, test } from 'vitest';
import {
  clientMessages,
  permissionOf,
  serverMessages,
  type ClientMessage,
  type LivePermission,
  type ServerMessage,
} from '#shared/api/live.ts';
import { roleNames } from '#shared/rights.ts';
import { testApp, type Caller, type TestApp } from './helpers/app.ts';
import { connect, type LiveConnection } from './helpers/live.ts';
import { seedProject, type Seed } from './helpers/seed.ts';
import { launch, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

const ofClients: Record<string, LivePermission> = {
  'subscribe project': 'member',
  'subscribe task_log': 'task.log',
  'unsubscribe project': 'connected',
  'unsubscribe task_log': 'connected',
};

const ofServer: Record<ServerMessage['type'], LivePermission> = {
  subscribed: 'member',
  lines: 'task.log',
  partial: 'task.log',
  log_end: 'task.log',
  task: 'member',
  changed: 'member',
  refused: 'connected',
  update: 'member',
  log: 'task.log',
};

/** Each client message once, with the ids of a project and a task. */
const sendings = (project_id: number, task_id: number): ClientMessage[] => [
  { type: 'subscribe', topic: 'project', project_id },
  { type: 'subscribe', topic: 'task_log', project_id, task_id, after: 0 },
  { type: 'unsubscribe', topic: 'project', project_id },
  { type: 'unsubscribe', topic: 'task_log', project_id, task_id },
];

async function setUp() {
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const seed = await seedProject(app.admin, { 'play.yml': 'echo hello\n' });
  const template = await seed.template();
  const run = async () =>
    untilFinished(app.admin, await launch(app.admin, seed.projectId, { template_id: template.id }));
  return { app, address, seed, run };
}

/** An administrator, a member of each role, an owner of another project, and one of none. */
async function everybody(app: TestApp, { projectId }: Seed) {
  const other = await seedProject(app.admin, null);
  const members: [name: string, caller: Caller][] = [['administrator', app.admin]];
  for (const role of roleNames) members.push([role, await app.member(projectId, role)]);
  const foreigners: [name: string, caller: Caller][] = [
    ['owner elsewhere', await app.member(other.projectId, 'owner')],
    ['member of nothing', await app.user('nothing')],
  ];
  return { members, foreigners };
}

const typesOf = ({ messages }: LiveConnection): string[] => [
  ...new Set(messages.map(({ type }) => type)),
];

test('every message declares the permission of the table, and is looked up by it', () => {
  const declared = clientMessages.map(({ permission, schema: { shape } }) => [
    `${shape.type.value} ${shape.topic.value}`,
    permission,
  ]);
  expect(Object.fromEntries(declared)).toEqual(ofClients);
  expect(declared).toHaveLength(Object.keys(ofClients).length);
  const sent = serverMessages.map(({ permission, schema }) => [
    schema.shape.type.value,
    permission,
  ]);
  expect(Object.fromEntries(sent)).toEqual(ofServer);
  for (const message of sendings(1, 1)) {
    const topic = 'topic' in message ? message.topic : '';
    expect(permissionOf(message)).toBe(ofClients[`${message.type} ${topic}`]);
  }
  for (const [type, permission] of Object.entries(ofServer)) {
    expect([type, permissionOf({ type } as ServerMessage)]).toEqual([type, permission]);
  }
  expect(() => permissionOf({ type: 'gossip' } as never)).toThrow('is not declared');
});

test('each role may send what it may, and a foreigner is told that there is no such project', async () => {
  const { app, address, seed, run } = await setUp();
  const task = await run();
  const { members, foreigners } = await everybody(app, seed);
  const messages = sendings(seed.projectId, task.id);
  expect(messages).toHaveLength(clientMessages.length);
  const answers: [name: string, answers: unknown[]][] = [];
  for (const [name, { cookie }] of [...members, ...foreigners]) {
    const client = await connect(address, { cookie });
    for (const message of messages.filter(({ type }) => type === 'subscribe')) client.send(message);
    const seen = await until(() => {
      const found = client.messages.filter(({ type }) => ['subscribed', 'refused'].includes(type));
      return found.length === 2 && found;
    });
    answers.push([name, seen.map((one) => (one.type === 'refused' ? one.code : one.type)).sort()]);
    // This message ends a subscription and tells nothing.
    for (const message of messages.filter(({ type }) => type === 'unsubscribe')) {
      client.send(message);
    }
    client.send('{"type":"nonsense"}');
    expect([name, await client.closed]).toEqual([name, 4400]);
  }
  expect(answers).toEqual([
    ...members.map(([name]) => [name, ['subscribed', 'subscribed']]),
    ...foreigners.map(([name]) => [name, ['project.not_found', 'project.not_found']]),
  ]);
});

test('each role is sent every message, and a foreigner none but the refusal', async () => {
  const { app, address, seed, run } = await setUp();
  const { members, foreigners } = await everybody(app, seed);
  const first = await run();
  // Kept for those who open the log later.
  const unended = { projectId: seed.projectId, taskId: first.id, after: 9, output: 'Password: ' };
  app.ctx.hub.publish('log.partial-line', unended);
  const open = async (list: [string, Caller][]) =>
    Promise.all(
      list.map(async ([name, { cookie }]) => {
        const [plain, asking] = [
          await connect(address, { cookie }),
          await connect(address, { cookie }),
        ];
        for (const message of sendings(seed.projectId, first.id).slice(0, 2)) asking.send(message);
        await until(() => asking.messages.length >= 2);
        return { name, types: () => [...typesOf(plain), ...typesOf(asking)].sort() };
      }),
    );
  const [ours, theirs] = [await open(members), await open(foreigners)];
  await run();
  await seed.template();
  const all = Object.keys(ofServer).filter((type) => type !== 'refused');
  for (const { name, types } of ours) {
    await until(() => types().length >= all.length).catch(() => null);
    expect([name, types()]).toEqual([name, all.toSorted()]);
  }
  for (const { name, types } of theirs) expect([name, types()]).toEqual([name, ['refused']]);
});

test('the server asks for what the declaration says', async () => {
  const { app, address, seed, run } = await setUp();
  const task = await run();
  const guest = await app.member(seed.projectId, 'guest');
  const owner = await app.member(seed.projectId, 'owner');
  const declared = clientMessages[1] as { permission: LivePermission };
  const lines = serverMessages[1] as { permission: LivePermission };
  const ask = async ({ cookie }: Caller): Promise<string[]> => {
    const client = await connect(address, { cookie });
    client.send(sendings(seed.projectId, task.id)[1] as ClientMessage);
    await until(() => client.messages.some(({ type }) => ['log_end', 'refused'].includes(type)));
    return client.messages.map((one) => (one.type === 'refused' ? one.code : one.type));
  };
  const whole = ['subscribed', 'lines', 'log_end'];
  expect(await ask(guest)).toEqual(whole);
  try {
    declared.permission = 'member.manage';
    expect(await ask(guest)).toEqual(['permission.denied']);
    expect(await ask(owner)).toEqual(whole);
    declared.permission = 'member';
    lines.permission = 'member.manage';
    expect(await ask(guest)).toEqual(['subscribed', 'permission.denied']);
  } finally {
    declared.permission = 'member';
    lines.permission = 'member';
  }
});
