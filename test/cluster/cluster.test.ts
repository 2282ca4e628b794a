// Only on PostgreSQL: several servers need a database that they can share.
// Slow: several whole servers are started.
// What people can rely on when several servers share a database.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { tasks } from '#shared/api/tasks.ts';
import { startCluster, scriptProject } from '../helpers/cluster.ts';
import { connect, linesOf } from '../helpers/live.ts';
import { folder } from '../helpers/seed.ts';
import { launch, readTask, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';
import type { TestServer } from '../helpers/server.ts';

/** A script that counts to a hundred in ten seconds, and then waits until a file exists. */
const counting = (gate: string): string =>
  `for i in $(seq 1 100); do echo "line $i"; sleep 0.05; done
until [ -e ${gate} ]; do sleep 0.05; done
echo the end`;

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Files that the supervisor of a run writes. */
async function pathsOf({ dataDir }: TestServer, taskId: number, names: string[]) {
  const runs = join(dataDir, 'runs');
  const run = (await readdir(runs)).find((name) => name.startsWith(`${taskId}-`));
  const step = run && (await readdir(join(runs, run))).find((name) => name.startsWith('step-'));
  return run && step ? names.map((name) => join(runs, run, step, name)) : [];
}

/** The process ids of a run's supervisor and program. */
async function pidsOf(server: TestServer, taskId: number): Promise<number[]> {
  const paths = await pathsOf(server, taskId, ['supervisor', 'child']);
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
  return texts.map((text) => Number(text.split(' ')[0])).filter(Boolean);
}

test('a task that one server launches runs on another, and its log is live on a third', async () => {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  const other = await cluster.start('web');
  const runner = await cluster.start('runner');
  const owner = await cluster.at(web);
  const gate = join(await folder(), 'gate');
  const seed = await scriptProject(owner, counting(gate));
  const { id: templateId } = await seed.template();
  const task = await launch(owner, seed.projectId, { template_id: templateId });
  const { cookie } = await cluster.at(other);
  const client = await connect(other.address, { cookie });
  client.send({
    type: 'subscribe',
    topic: 'task_log',
    project_id: seed.projectId,
    task_id: task.id,
    after: 0,
  });
  await until(() => linesOf(client.messages).some(({ output }) => output === 'line 20'));
  expect((await pidsOf(runner, task.id)).length).toBe(2);
  const params = { project_id: seed.projectId, task_id: task.id };
  await (await cluster.at(other)).call(tasks.stop, { params, body: { force: false } });
  expect((await untilFinished(owner, task)).status).toBe('stopped');
  await client.untilMessage('log_end');
});

/** Starts two servers that serve people and run tasks, and a task on one of them. */
async function running(options: { retries?: number } = {}) {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  const runner = await cluster.start('runner');
  const owner = await cluster.at(web);
  const gate = join(await folder(), 'gate');
  const seed = await scriptProject(owner, counting(gate));
  const { id: templateId } = await seed.template(options);
  const task = await launch(owner, seed.projectId, { template_id: templateId });
  const params = { project_id: seed.projectId, task_id: task.id };
  const lines = async () =>
    (await owner.call(tasks.output, { params })).map(({ output }) => output);
  await until(async () => (await lines()).includes('line 10'));
  const open = () => writeFile(gate, '');
  return { cluster, web, runner, owner, seed, task, lines, open };
}

const counted = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);

test('a runner whose server is killed and comes back goes on with its tasks, line by line', async () => {
  const { cluster, runner, owner, task, lines, open } = await running();
  await runner.end('SIGKILL');
  const { dataDir } = runner;
  await cluster.start('runner', { dataDir });
  await open();
  expect((await untilFinished(owner, task)).status).toBe('success');
  const all = await lines();
  expect(all.filter((line) => line.startsWith('line '))).toEqual(counted);
  expect(all.at(-1)).toBe('the end');
});

test('tasks of a runner that is gone fail and say why, within half a minute, and are tried again elsewhere', async () => {
  const { cluster, runner, owner, seed, task, lines, open } = await running({ retries: 1 });
  const pids = await pidsOf(runner, task.id);
  await runner.end('SIGKILL');
  const begun = performance.now();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await cluster.start('runner');
  await open();
  const ended = await untilFinished(owner, task, 60);
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(ended.status).toBe('error');
  expect((await lines()).at(-1)).toMatch(/^The server .* that ran this task was lost/);
  const again = await until(async () =>
    (await owner.call(tasks.list, { params: { project_id: seed.projectId } })).find(
      ({ attempt }) => attempt === 2,
    ),
  );
  expect((await untilFinished(owner, again)).status).toBe('success');
}, 120_000);

test('a runner that was taken for lost ends what it still runs, and writes nothing more of it', async () => {
  const { runner, owner, task, lines } = await running();
  const pids = await pidsOf(runner, task.id);
  runner.child.kill('SIGSTOP');
  const ended = await untilFinished(owner, task, 60);
  const all = await lines();
  expect([ended.status, all.at(-1)]).toEqual(['error', expect.stringContaining('was lost')]);
  runner.child.kill('SIGCONT');
  expect(await until(() => !pids.some(isThere))).toBe(true);
  expect(await lines()).toEqual(all);
  // The runner takes tasks again.
  const next = await launch(owner, task.project_id, { template_id: task.template_id });
  expect((await untilStatus(owner, next, 'running')).status).toBe('running');
  await owner.call(tasks.stop, {
    params: { project_id: task.project_id, task_id: next.id },
    body: { force: true },
  });
  await untilFinished(owner, next);
}, 120_000);

test('a task waits until there is a runner, and says so', async () => {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  const owner = await cluster.at(web);
  const seed = await scriptProject(owner, 'echo hello\n');
  const { id: templateId } = await seed.template();
  const task = await launch(owner, seed.projectId, { template_id: templateId });
  expect(task.waiting_for).toMatchObject({ reason: 'runner' });
  const runner = await cluster.start('runner');
  expect((await untilFinished(owner, task)).status).toBe('success');
  const there = { active: true, max_parallel_tasks: 10, running: 0 };
  const people = { role: 'web', active: false, slots: null };
  expect(await owner.call(runners.list, {})).toMatchObject([people, there]);
  await runner.end('SIGTERM');
  const gone = { ...there, state: 'stopped' };
  expect(await owner.call(runners.list, {})).toMatchObject([people, gone]);
});

test('tasks go on without the database, and not a line is lost when it is back', async () => {
  const { cluster, owner, runner, task, lines, open } = await running();
  cluster.cut();
  // Meanwhile the program of the task prints everything else.
  const spool = (await pathsOf(runner, task.id, ['spool']))[0] ?? '';
  await until(async () => (await readFile(spool, 'utf8')).includes('line 100'));
  cluster.mend();
  await open();
  const answers = () => readTask(owner, task).catch(() => null);
  await until(answers);
  expect((await untilFinished(owner, task, 60)).status).toBe('success');
  const all = await lines();
  expect(all.filter((line) => line.startsWith('line '))).toEqual(counted);
  expect(all.at(-1)).toBe('the end');
}, 120_000);
