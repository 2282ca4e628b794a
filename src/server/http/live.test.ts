// Also on PostgreSQL: hub events travel through its notifications.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { members } from '#shared/api/members.ts';
import { session } from '#shared/api/session.ts';
import { type Task, tasks } from '#shared/api/tasks.ts';
import { closeCodes, type ClientMessage } from '#shared/api/live.ts';
import { testApp, type TestApp } from '../../../test/helpers/app.ts';
import { connect, linesOf } from '../../../test/helpers/live.ts';
import { folder, seedProject, type Seed } from '../../../test/helpers/seed.ts';
import { type Gate, makeGate } from '../../../test/helpers/gate.ts';
import { launch, logText, untilFinished } from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';

const counting = 'i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo "line $i"; done\n';
const untilOpen = ({ isOpen }: Gate): string =>
  `i=0; until ${isOpen}; do i=$((i + 1)); echo "line $i"; sleep 0.02; done\n`;

async function setUp(script: string, options: Parameters<typeof testApp>[0] = {}) {
  const app = await testApp({ runner: true, ...options });
  const address = await app.listen();
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template();
  const start = (): Promise<Task> =>
    launch(app.admin, seed.projectId, { template_id: template.id });
  return { app, address, seed, start };
}

const follow = (task: Task, after = 0): ClientMessage => ({
  type: 'subscribe',
  topic: 'task_log',
  project_id: task.project_id,
  task_id: task.id,
  after,
});

const watch = (seed: Seed): ClientMessage => ({
  type: 'subscribe',
  topic: 'project',
  project_id: seed.projectId,
});

test('refuses who has no session, and pages of other sites', async () => {
  const { app, address } = await setUp('echo hello\n');
  await expect(connect(address, {})).rejects.toThrow('401');
  await expect(connect(address, { cookie: 'signalbox=wrong' })).rejects.toThrow('401');
  const { cookie } = app.admin;
  await expect(connect(address, { cookie, origin: 'https://evil.example' })).rejects.toThrow('403');
  await expect(connect(address, { cookie, origin: 'null' })).rejects.toThrow('403');
  await connect(address, { cookie, origin: address });
  await connect(address, { cookie });
});

test('sends a log live from its first line to its end, before the task ends', async () => {
  const gate = await makeGate();
  const { app, address, start } = await setUp(untilOpen(gate));
  const client = await connect(address, { cookie: app.admin.cookie });
  const task = await start();
  client.send(follow(task));
  await until(() => linesOf(client.messages).some(({ output }) => output === 'line 3'));
  expect(client.messages.some(({ type }) => type === 'log_end')).toBe(false);
  await gate.open();
  const end = await client.untilMessage('log_end');
  const lines = linesOf(client.messages);
  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
  expect(end.total).toBe(lines.length);
  expect(lines.map(({ output }) => output).join('\n')).toBe(await logText(app.admin, task));
});

test('shows every line once to a client that is cut and comes back, at many points', async () => {
  const stop = join(await folder(), 'stop');
  const { app, address, start } = await setUp(
    `until [ -e '${stop}' ]; do i=$((i + 1)); echo "line $i"; sleep 0.02; done\n`,
  );
  const task = await start();
  const seen: { number: number; output: string }[] = [];
  let cuts = 0;
  for (let isEnded = false; !isEnded; cuts += 1) {
    const client = await connect(address, { cookie: app.admin.cookie });
    client.send(follow(task, seen.length));
    const wanted = 1 + (cuts % 4);
    await until(
      () =>
        linesOf(client.messages).length >= wanted ||
        client.messages.some(({ type }) => type === 'log_end'),
    );
    client.cut();
    await client.closed;
    if (cuts === 12) await writeFile(stop, '');
    seen.push(...linesOf(client.messages));
    isEnded = client.messages.some(({ type }) => type === 'log_end');
  }
  expect(cuts).toBeGreaterThan(10);
  expect(seen.map(({ number }) => number)).toEqual(seen.map((_, index) => index + 1));
  expect(seen.map(({ output }) => output).join('\n')).toBe(await logText(app.admin, task));
});

test('gives a finished log from every cursor', async () => {
  const { app, address, start } = await setUp(counting);
  const task = await start();
  const { log_lines: total } = await untilFinished(app.admin, task);
  const client = await connect(address, { cookie: app.admin.cookie });
  for (const after of [0, 1, 17, total - 1, total, total + 5]) {
    client.messages.length = 0;
    client.send(follow(task, after));
    await client.untilMessage('log_end');
    const numbers = linesOf(client.messages).map(({ number }) => number);
    expect(numbers).toEqual(
      Array.from({ length: Math.max(0, total - after) }, (_, index) => after + 1 + index),
    );
  }
});

test('tells the subscribers of a project of its tasks and resources, and nobody else', async () => {
  const { app, address, seed, start } = await setUp('echo hello\n');
  const other = await seedProject(app.admin);
  const [mine, theirs] = [
    await connect(address, { cookie: app.admin.cookie }),
    await connect(address, { cookie: app.admin.cookie }),
  ];
  mine.send(watch(seed));
  theirs.send(watch(other));
  await mine.untilMessage('subscribed');
  await theirs.untilMessage('subscribed');
  const task = await start();
  await untilFinished(app.admin, task);
  const statuses = await until(() => {
    const list = mine.messages.flatMap((message) =>
      message.type === 'task' ? [message.task.status] : [],
    );
    return list.at(-1) === 'success' && list;
  });
  const order = ['waiting', 'starting', 'running', 'success'];
  const positions = statuses.map((status) => order.indexOf(status));
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(positions).not.toContain(-1);
  await seed.template();
  const nouns = () => mine.messages.flatMap((one) => (one.type === 'changed' ? [one.noun] : []));
  await until(() => nouns().includes('templates'));
  expect(nouns()).toContain('events');
  expect(theirs.messages.map(({ type }) => type)).toEqual(['subscribed']);
});

test('a client that asks for nothing gets updates and lines of all its projects', async () => {
  const { app, address, seed, start } = await setUp('echo one; echo two\n');
  const outsider = await app.user('outsider');
  const runner = await app.member(seed.projectId, 'task_runner');
  const [plain, closed] = [
    await connect(address, { cookie: runner.cookie }),
    await connect(address, { cookie: outsider.cookie }),
  ];
  const task = await start();
  await until(() =>
    plain.messages.some((message) => message.type === 'update' && message.status === 'success'),
  );
  const text = await logText(app.admin, task);
  const logs = plain.messages.flatMap((message) => (message.type === 'log' ? [message] : []));
  expect(logs.map(({ output }) => output).join('\n')).toBe(text);
  expect(logs[0]).toEqual({
    type: 'log',
    project_id: seed.projectId,
    template_id: task.template_id,
    task_id: task.id,
    output: expect.any(String),
    time: expect.any(String),
  });
  const updates = plain.messages.filter(({ type }) => type === 'update');
  const told = await app.admin.call(tasks.one, {
    params: { project_id: seed.projectId, task_id: task.id },
  });
  const last = updates.at(-1) ?? {};
  expect(last).toMatchObject({
    task_id: told.id,
    status: 'success',
    commit_hash: told.commit_hash,
  });
  const { type: _type, task_id: _taskId, ...fields } = last as Record<string, unknown>;
  expect(told).toMatchObject(fields);
  expect(Object.keys(fields)).toEqual(
    expect.arrayContaining([
      'id',
      'build_task',
      'template_id',
      'user_name',
      'message',
      'version',
      'tpl_alias',
      'created',
    ]),
  );
  expect(closed.messages).toEqual([]);
});

test('refuses a project or task that is not the caller’s', async () => {
  const { app, address, seed, start } = await setUp('echo hello\n');
  const task = await start();
  const outsider = await app.user('outsider');
  const client = await connect(address, { cookie: outsider.cookie });
  client.send(watch(seed));
  client.send(follow(task));
  await until(() => client.messages.length >= 2);
  const codes = client.messages.map((message) => message.type === 'refused' && message.code);
  expect(codes).toEqual(['project.not_found', 'project.not_found']);
  const other = await seedProject(app.admin);
  const admin = await connect(address, { cookie: app.admin.cookie });
  admin.send({ ...follow(task), project_id: other.projectId } as ClientMessage);
  expect(await admin.untilMessage('refused')).toMatchObject({ code: 'task.not_found' });
});

test('sends nothing more to a member who was removed', async () => {
  const gate = await makeGate();
  const { app, address, seed, start } = await setUp(untilOpen(gate));
  const member = await app.member(seed.projectId, 'task_runner');
  const client = await connect(address, { cookie: member.cookie });
  const task = await start();
  client.send(follow(task));
  await until(() => linesOf(client.messages).length >= 3);
  const params = { project_id: seed.projectId, user_id: member.userId };
  await app.admin.call(members.remove, { params });
  await client.untilMessage('refused');
  const seen = client.messages.length;
  await gate.open();
  await untilFinished(app.admin, task);
  expect(client.messages).toHaveLength(seen);
});

test('closes the connection of a session that has ended', async () => {
  const gate = await makeGate();
  const { app, address, start } = await setUp(untilOpen(gate));
  const client = await connect(address, { cookie: app.admin.cookie });
  const again = await app.signIn('root', 'a long test password');
  const task = await start();
  client.send(follow(task));
  await until(() => linesOf(client.messages).length >= 3);
  await app.admin.call(session.signOut, {});
  expect(await client.closed).toBe(closeCodes.signedOut);
  await gate.open();
  await untilFinished(again, task);
});

test('closes a client that reads too slowly, and it comes back where it was', async () => {
  const limits = { waiting: 64 * 1024, readMs: 200 };
  const script = 'for i in $(seq 1 30000); do printf "%05d %0900d\\n" $i 0; done\n';
  const { app, address, start } = await setUp(script, { liveLimits: limits });
  const task = await start();
  const finished = await untilFinished(app.admin, task);
  const client = await connect(address, { cookie: app.admin.cookie });
  const readers = countReaders(app);
  client.socket.pause();
  client.send(follow(task));
  await until(() => readers() === 1);
  // The server gives the client up while it does not read; the client learns that when it reads on.
  await until(() => readers() === 0);
  client.socket.resume();
  expect(await client.closed).toBe(closeCodes.tooSlow);
  const seen = linesOf(client.messages);
  expect(seen.length).toBeLessThan(finished.log_lines);
  const next = await connect(address, { cookie: app.admin.cookie });
  next.send(follow(task, seen.length));
  await next.untilMessage('log_end');
  const all = [...seen, ...linesOf(next.messages)];
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
  expect(all).toHaveLength(finished.log_lines);
});

/** How many clients read a log at present. */
function countReaders({ ctx }: TestApp): () => number {
  let count = 0;
  const { subscribe } = ctx.hub;
  ctx.hub.subscribe = (topic, listener, task) => {
    const end = subscribe(topic, listener, task);
    if (topic !== 'log.appended') return end;
    count += 1;
    return () => {
      count -= 1;
      end();
    };
  };
  return () => count;
}

test('closes a client that subscribes and then talks nonsense', async () => {
  const { app, address, seed } = await setUp('echo hello\n');
  const client = await connect(address, { cookie: app.admin.cookie });
  client.send('hello?');
  client.send(watch(seed));
  await client.untilMessage('subscribed');
  client.send('{"type":"subscribe","topic":"moon"}');
  expect(await client.closed).toBe(closeCodes.badMessage);
});

test('tells clients to come back when the server stops', async () => {
  const { app, address } = await setUp('echo hello\n');
  const client = await connect(address, { cookie: app.admin.cookie });
  await app.close();
  expect(await client.closed).toBe(closeCodes.goingAway);
});
