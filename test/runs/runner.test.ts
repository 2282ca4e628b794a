// Also on PostgreSQL: tasks are taken from its queue, and their ends are written there.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { seedProject } from '../helpers/seed.ts';
import { launch, logText, readTask, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';
import { isRunning } from '../helpers/processes.ts';

/** A project whose only playbook is this shell script: see test/fixtures/bin. */
async function projectOf(app: TestApp, script: string) {
  return seedProject(app.admin, { 'play.yml': script });
}

async function runOnce(app: TestApp, script: string) {
  const seed = await projectOf(app, script);
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const finished = await untilFinished(app.admin, task);
  return { seed, template, task: finished, log: await logText(app.admin, finished) };
}

async function leftovers(app: TestApp): Promise<string[]> {
  return readdir(join(app.ctx.config.dataDir, 'runs'));
}

test('a task that succeeds has its commit, its times and its whole log', async () => {
  const app = await testApp({ runner: true });
  const { task, log } = await runOnce(app, 'echo one; echo two >&2; printf three\n');
  expect(task.status).toBe('success');
  expect(task.commit_hash).toMatch(/^[0-9a-f]{40}$/);
  expect(task.commit_message).toBe('First commit');
  expect(task.start && task.end && task.start <= task.end).toBe(true);
  expect(log).toContain('Command: ansible-playbook --inventory=');
  for (const line of ['one', 'two', 'three']) expect(log.split('\n')).toContain(line);
  expect(task.log_lines).toBe(log.split('\n').length);
  expect(await until(async () => (await leftovers(app)).length === 0)).toBe(true);
});

test('a program that fails makes the task fail, and the log says how', async () => {
  const app = await testApp({ runner: true });
  const { task, log } = await runOnce(app, 'echo before; exit 4\n');
  expect(task.status).toBe('error');
  expect(log).toContain('before\nansible-playbook ended with the exit code 4.');
});

test('a program ended by a signal makes the task fail, and the log names the signal', async () => {
  const app = await testApp({ runner: true });
  const { task, log } = await runOnce(app, 'kill -9 $$\n');
  expect(task.status).toBe('error');
  expect(log).toContain('was ended by the signal SIGKILL');
});

test('gives the program nothing of the server but what a run needs', async () => {
  const app = await testApp({ runner: true });
  process.env['SIGNALBOX_CANARY'] = 'x';
  const { log } = await runOnce(app, 'env | sed "s/^/env:/"; ps -o pid=,pgid=,sid= -p $$\n');
  delete process.env['SIGNALBOX_CANARY'];
  const names = [...log.matchAll(/^env:(\w+)=/gm)].map(([, name]) => String(name)).toSorted();
  expect(names).toEqual([
    'ANSIBLE_FORCE_COLOR',
    'ANSIBLE_RETRY_FILES_ENABLED',
    'HOME',
    'LANG',
    'PATH',
    'PWD',
    'PYTHONUNBUFFERED',
    'SIGNALBOX_PROGRESS_FILE',
    'SIGNALBOX_RUN',
  ]);
});

test('runs the program as the leader of a session of its own', async () => {
  const app = await testApp({ runner: true });
  const { log } = await runOnce(app, 'echo "ids $$ $(cut -d" " -f5,6 /proc/$$/stat)"\n');
  const [, pid, group, session] = /ids (\d+) (\d+) (\d+)/.exec(log) ?? [];
  expect([group, session]).toEqual([pid, pid]);
});

test('stops a running task with its children, as stopped and not as failed', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'sleep 1000 & echo "child $!"; wait\n');
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const log = await until(async () => {
    const text = await logText(app.admin, task);
    return text.includes('child') && text;
  });
  const params = { project_id: seed.projectId, task_id: task.id };
  await app.admin.call(tasks.stop, { params, body: {} });
  expect((await untilFinished(app.admin, task)).status).toBe('stopped');
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  expect(await isRunning(child)).toBe(false);
  expect(await until(async () => (await leftovers(app)).length === 0)).toBe(true);
});

test('kills at once a program that ignores TERM, when the stop is forced', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'trap "" TERM; echo ready; while :; do sleep 1; done\n');
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(app.admin, task)).includes('ready'));
  const params = { project_id: seed.projectId, task_id: task.id };
  await app.admin.call(tasks.stop, { params, body: {} });
  expect((await readTask(app.admin, task)).status).toBe('stopping');
  const begun = Date.now();
  await app.admin.call(tasks.stop, { params, body: { force: true } });
  expect((await untilFinished(app.admin, task)).status).toBe('stopped');
  expect(Date.now() - begun).toBeLessThan(5_000);
});

test('ends with the task what it leaves in the background, whatever session it is in', async () => {
  const app = await testApp({ runner: true });
  const script =
    'setsid sh -c "trap \\"\\" TERM; echo child \\$\\$; sleep 1000" & sleep 0.3; echo done\n';
  const { task, log } = await runOnce(app, script);
  expect(task.status).toBe('success');
  expect(log).toContain('done');
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  expect(child).toBeGreaterThan(1);
  expect(await isRunning(child)).toBe(false);
});

test('a task that takes longer than its limit is ended and fails', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'echo begun; sleep 1000\n');
  const template = await seed.template({ timeout_s: 3 });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain('The time limit of 3 seconds is over');
});

test('a repository that never answers does not hold a task for longer than its limit', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const app = await testApp({ runner: true, config: { httpRepositories: true } });
  const seed = await seedProject(app.admin, null);
  const { id: repository_id } = await app.admin.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: {
      name: 'Silent',
      git_url: `http://127.0.0.1:${port}/code.git`,
      git_branch: 'main',
      ssh_key_id: seed.keyId,
    },
  });
  const template = await seed.template({ repository_id, timeout_s: 1 });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toMatch(/The time limit of 1 seconds is over.*$/);
  expect(await until(async () => (await leftovers(app)).length === 0)).toBe(true);
});

test('the next task starts when a slot becomes free, without a clock', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'echo hello\n');
  const template = await seed.template();
  const all = [];
  for (let count = 0; count < 5; count += 1) {
    all.push(await launch(app.admin, seed.projectId, { template_id: template.id }));
  }
  const finished = [];
  for (const task of all) finished.push(await untilStatus(app.admin, task, 'success'));
  const times = finished.flatMap(({ start, end }) => [String(start), String(end)]);
  expect(times).toEqual(times.toSorted());
});

test('keeps lines of 10 MB, binary output and 50,000 lines, each in its place', async () => {
  const app = await testApp({ runner: true });
  const script = [
    'seq 1 50000',
    'head -c 10000000 /dev/zero | tr "\\0" a; echo',
    'printf "\\377\\376bin\\000ary\\n"',
    'echo end',
  ].join('\n');
  const { task, log } = await runOnce(app, script);
  expect(task.status).toBe('success');
  const lines = log.split('\n');
  const first = lines.indexOf('1');
  const numbers = lines.slice(first, first + 50_000).map(Number);
  expect(numbers).toEqual(Array.from({ length: 50_000 }, (_, index) => index + 1));
  expect(lines[first + 50_000]?.length).toBe(10_000_000);
  expect(lines.slice(first + 50_001)).toEqual(['\uFFFD\uFFFDbin\uFFFDary', 'end']);
});
