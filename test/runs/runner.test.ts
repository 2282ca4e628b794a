// Also on PostgreSQL: tasks are taken from its queue, and their ends are written there.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from '../helpers/tasks.ts';
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
  expect(isRunning(child)).toBe(false);
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
