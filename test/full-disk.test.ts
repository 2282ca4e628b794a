// Only on SQLite: its database lies on the disk that is full.
// The disk of the data folder is full: a real one, small and in memory.

import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { scriptProject } from './helpers/cluster.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { folder } from './helpers/seed.ts';
import { startServer } from './helpers/server.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';
import { asRoot } from './helpers/unix-user.ts';
import { until } from './helpers/until.ts';

/** A disk of so many megabytes. */
async function smallDisk(megabytes: number): Promise<string> {
  const path = await folder();
  const uid = process.getuid?.() ?? 0;
  asRoot('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700,uid=${uid}`, 'tmpfs', path]);
  onTestFinished(() => asRoot('umount', ['--lazy', path]));
  return path;
}

async function setUp() {
  const dataDir = await smallDisk(16);
  const env = { SIGNALBOX_LOCAL_REPOSITORIES: '/' };
  const server = await startServer({ dataDir, env });
  onTestFinished(async () => {
    await server.end('SIGTERM');
  });
  const admin = await remoteCaller(server.address, 'admin', server.password);
  const gate = join(await folder(), 'gate');
  const script = `echo begun
while [ "$1" = flood ]; do yes; done
if [ "$1" = wait ]; then until [ -e ${gate} ]; do sleep 0.05; done; echo more; fi
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
  await until(async () => (await logText(admin, task)).includes('begun'));
  const { bavail, bsize } = await statfs(dataDir);
  // Fails when it has written all that there is room for.
  const ballast = join(dataDir, 'ballast');
  await writeFile(ballast, Buffer.alloc(bavail * bsize + 1)).catch(() => undefined);
  await writeFile(gate, '');
  const params = { project_id: task.project_id, task_id: task.id };
  expect((await admin.ask(tasks.one, { params })).status).toBe(200);
  await rm(ballast);
  const ended = await until(async () => {
    const { status, body } = await admin.ask(tasks.one, { params });
    return status === 200 && isFinished(body.status) && body;
  });
  expect(['success', 'error']).toContain(ended.status);
  expect((await untilFinished(admin, await run('nothing'), 60)).status).toBe('success');
}, 180_000);
