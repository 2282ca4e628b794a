// Only on SQLite: its database is on the disk that is full.
// Slow: a disk is filled and emptied under a server.
// The disk of the data folder is full: a real one, small and in memory.

import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { session } from '#shared/api/session.ts';
import { system } from '#shared/api/system.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { freeBytes } from '../src/node/fs/disk-space.ts';
import { scriptProject } from './helpers/cluster.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { folder } from './helpers/seed.ts';
import { startServer } from './helpers/server.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';
import { fill, smallDisk } from './helpers/small-disk.ts';
import { until } from './helpers/until.ts';

async function setUp(settings: Record<string, string> = {}) {
  const dataDir = await smallDisk(16);
  const env = { SIGNALBOX_LOCAL_REPOSITORIES: '/', SIGNALBOX_LEAST_DISK_BYTES: '0', ...settings };
  const server = await startServer({ dataDir, env });
  onTestFinished(async () => {
    await server.end('SIGTERM');
  });
  const admin = await remoteCaller(server.address, 'admin', server.password);
  const gate = join(await folder(), 'gate');
  const script = `echo begun
while [ "$1" = flood ]; do yes; done
if [ "$1" = wait ]; then seq 2000; until [ -e ${gate} ]; do sleep 0.05; done; echo more; fi
echo fine
`;
  const seed = await scriptProject(admin, script);
  const run = async (what: string): Promise<Task> => {
    const template = await seed.template({ name: what, arguments: JSON.stringify([what]) });
    return launch(admin, seed.projectId, { template_id: template.id });
  };
  return { dataDir, server, admin, gate, run };
}

test('gate 7: a task that prints more than there is room for fails and says so, and others go on', async () => {
  const { admin, run } = await setUp();
  const flood = await untilFinished(admin, await run('flood'));
  expect(flood.status).toBe('error');
  expect((await logText(admin, flood)).slice(-400)).toContain('The disk of the server is full');
  expect((await untilFinished(admin, await run('nothing'), 60)).status).toBe('success');
}, 180_000);

test('gate 7: a disk that fills during a task stops nothing from being read, and the task ends', async () => {
  const { dataDir, admin, gate, run } = await setUp();
  const task = await run('wait');
  await until(async () => (await logText(admin, task)).endsWith('\n2000'));
  const before = await logText(admin, task);
  const empty = await fill(dataDir);
  await writeFile(gate, '');
  const params = { project_id: task.project_id, task_id: task.id };
  expect((await admin.ask(tasks.one, { params })).status).toBe(200);
  await empty();
  const ended = await until(async () => {
    const { status, body } = await admin.ask(tasks.one, { params });
    return status === 200 && isFinished(body.status) && body;
  });
  expect(['success', 'error']).toContain(ended.status);
  expect((await logText(admin, task)).startsWith(before)).toBe(true);
  expect((await untilFinished(admin, await run('nothing'), 60)).status).toBe('success');
}, 180_000);

test('a full disk is reported by every write and by the health, and everything works again when there is room', async () => {
  const { dataDir, server, admin } = await setUp({ SIGNALBOX_LOW_DISK_BYTES: '1000' });
  // A runner that begins on a full disk ends, and is started again.
  await until(() =>
    access(join(dataDir, 'installation')).then(
      () => true,
      () => false,
    ),
  );
  expect((await admin.ask(system.health, {})).body).toMatchObject({ status: 'ok', disk: 'ok' });
  const empty = await fill(dataDir);
  const write = () => admin.ask(projects.create, { body: { name: 'x'.repeat(100) } });
  const refused = await until(async () => {
    const answer = await write();
    return answer.status !== 201 && answer;
  });
  expect(refused).toMatchObject({ status: 507, body: { code: 'system.disk_full' } });
  const unready = await until(async () => {
    const answer = await admin.ask(system.health, {});
    return answer.status === 503 && answer;
  });
  expect(unready.body).toMatchObject({ code: 'system.not_ready', params: { disk: 'full' } });
  const again = { auth: 'admin', password: server.password };
  expect(await admin.ask(session.signIn, { body: again })).toMatchObject({ status: 507 });
  expect((await admin.ask(projects.list, {})).status).toBe(200);
  await empty();
  expect(await until(async () => (await admin.ask(system.health, {})).status === 200)).toBe(true);
  expect((await write()).status).toBe(201);

  const lines = server.printedErrors().trim().split('\n');
  expect(lines.filter((line) => line.includes('the disk of the data folder is full'))).toHaveLength(
    1,
  );
  expect(lines.filter((line) => line.includes('has room again'))).toHaveLength(1);
  // A heartbeat of the runner may have come while the disk was full.
  const [retried, others] = [true, false].map((isAgain) =>
    lines.filter((line) => line.includes('the runner retries') === isAgain),
  );
  expect(retried?.length).toBeLessThan(5);
  expect(others?.slice(4)).toEqual([]);
  expect(server.printedErrors()).not.toMatch(/cannot rollback|"stack"/);
}, 180_000);

test('a disk with less room than an administrator wants is reported before it is full', async () => {
  const { server, admin } = await setUp({ SIGNALBOX_LOW_DISK_BYTES: '1000000000000' });
  expect(await admin.ask(system.health, {})).toMatchObject({ status: 200, body: { disk: 'low' } });
  expect(server.printedErrors()).toContain('the disk of the data folder is nearly full');
});

test('no task starts while the disk has less room than a new task needs, and those that run go on', async () => {
  const { dataDir, admin, gate, run } = await setUp({
    SIGNALBOX_LEAST_DISK_BYTES: '8000000',
  });
  const running = await run('wait');
  await until(async () => (await logText(admin, running)).includes('2000'));
  const ballast = join(dataDir, 'ballast');
  await writeFile(ballast, Buffer.alloc(freeBytes({ dataDir }) - 4_000_000));
  const waiting = await run('nothing');
  const params = { project_id: waiting.project_id, task_id: waiting.id };
  const see = () => admin.call(tasks.one, { params });
  expect(await see()).toMatchObject({ status: 'waiting', waiting_for: { reason: 'disk' } });
  await writeFile(gate, '');
  expect((await untilFinished(admin, running, 60)).status).toBe('success');
  expect((await see()).status).toBe('waiting');
  await rm(ballast);
  expect((await untilFinished(admin, waiting, 60)).status).toBe('success');
}, 180_000);

test('the log of the server says when no task starts for want of room, and when tasks start again', async () => {
  const { dataDir, server, admin } = await setUp({ SIGNALBOX_LEAST_DISK_BYTES: '8000000' });
  const said = (words: string) =>
    until(async () => {
      await admin.ask(system.health, {});
      return server.printedErrors().includes(words);
    });
  const ballast = join(dataDir, 'ballast');
  await writeFile(ballast, Buffer.alloc(freeBytes({ dataDir }) - 4_000_000));
  expect(await said('too little room for new tasks')).toBe(true);
  await rm(ballast);
  expect(await said('has room for new tasks again')).toBe(true);
});
