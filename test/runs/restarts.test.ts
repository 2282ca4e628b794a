// Also on PostgreSQL: there a second server on the same data counts as one of several servers.
// Slow: servers are started again while their tasks run.
// Tests tasks that outlive their server. A second server on the same data stands for the restarted
// one.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { createApp } from '../../src/server/app.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { makeGate } from '../helpers/gate.ts';
import { seedProject } from '../helpers/seed.ts';
import { launch, logText, readTask, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

const counting = 'for i in $(seq 1 200); do echo "line $i"; sleep 0.01; done\n';

async function startTask(app: TestApp, script: string): Promise<Task> {
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template();
  return launch(app.admin, seed.projectId, { template_id: template.id });
}

/** The server comes back: a new one on the same data. */
async function restart(app: TestApp): Promise<void> {
  await app.app.runner.close();
  const next = await createApp(app.ctx, { config: app.ctx.config, log: app.ctx.log });
  await next.runner.start();
  app.app.runner.close = () => next.runner.close();
}

async function runsOf({ ctx }: TestApp): Promise<string[]> {
  return readdir(join(ctx.config.dataDir, 'runs')).catch(() => []);
}

async function entryOf(app: TestApp, name: string): Promise<string> {
  return until(async () => {
    const [run] = await runsOf(app);
    const dir = join(app.ctx.config.dataDir, 'runs', run ?? '');
    const step = (await readdir(dir)).findLast((entry) => entry.startsWith('step-'));
    const text = await readFile(join(dir, step ?? '', name), 'utf8').catch(() => '');
    return text.trim() || null;
  });
}

test('a task goes on while the server is away, and no line is lost or doubled', async () => {
  const app = await testApp({ runner: true });
  const task = await startTask(app, counting);
  for (let round = 0; round < 4; round += 1) {
    const wanted = `line ${20 + round * 30}`;
    await until(async () => (await logText(app.admin, task)).includes(wanted));
    await restart(app);
  }
  await untilStatus(app.admin, task, 'success');
  const lines = (await logText(app.admin, task)).split('\n');
  const counted = lines.filter((line) => line.startsWith('line '));
  expect(counted).toEqual(Array.from({ length: 200 }, (_, index) => `line ${index + 1}`));
  expect(await until(async () => (await runsOf(app)).length === 0)).toBe(true);
});

test('a task that ended while the server was away has its result', async () => {
  const app = await testApp({ runner: true });
  const gate = await makeGate();
  const task = await startTask(app, `echo begun; ${gate.wait}; echo ended; exit 3\n`);
  await until(async () => (await logText(app.admin, task)).includes('begun'));
  await app.app.runner.close();
  expect((await readTask(app.admin, task)).status).toBe('running');
  await gate.open();
  expect(await entryOf(app, 'exit')).toBe('3');
  await restart(app);
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toMatch(
    /begun\nended\nansible-playbook ended with the exit code 3/,
  );
  expect(await until(async () => (await runsOf(app)).length === 0)).toBe(true);
});

test('what a task hands on while the server is away is there, once', async () => {
  const app = await testApp({ runner: true });
  const gate = await makeGate();
  const write = (line: string): string => `echo '${line}' >> "$SIGNALBOX_OUTPUTS"`;
  const script = `${write('a=1')}; echo begun; ${gate.wait}; ${write('secret b=canary-4711')}\n`;
  const task = await startTask(app, script);
  await until(async () => (await logText(app.admin, task)).includes('begun'));
  await app.app.runner.close();
  await gate.open();
  expect(await entryOf(app, 'exit')).toBe('0');
  await restart(app);
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  const params = { project_id: task.project_id, task_id: task.id };
  expect(await app.admin.call(tasks.outputs, { params })).toEqual([
    { name: 'a', value: '1', is_secret: false },
    { name: 'b', value: null, is_secret: true },
  ]);
  expect(await app.ctx.db.selectFrom('task_outputs').select('task_id').execute()).toHaveLength(1);
});

test('a task that is stopping when the server goes is stopped when it comes back', async () => {
  const app = await testApp({ runner: true });
  const task = await startTask(
    app,
    'trap "echo asked" TERM; echo ready; while :; do sleep 0.1; done\n',
  );
  await until(async () => (await logText(app.admin, task)).includes('ready'));
  const params = { project_id: task.project_id, task_id: task.id };
  await app.admin.call(tasks.stop, { params, body: {} });
  await restart(app);
  expect((await readTask(app.admin, task)).status).toBe('stopping');
  await app.admin.call(tasks.stop, { params, body: { force: true } });
  expect((await untilFinished(app.admin, task)).status).toBe('stopped');
  expect(await until(async () => (await runsOf(app)).length === 0)).toBe(true);
});

test('a secret that is changed while the server is away is hidden in its old form too', async () => {
  const app = await testApp({ runner: true });
  const gate = await makeGate();
  const script = `echo begun; ${gate.wait}; echo "$API_KEY"`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const params = { project_id: seed.projectId };
  const secret = {
    operation: 'create',
    type: 'env',
    name: 'API_KEY',
    secret: 'canary-old',
  } as const;
  const { id, secrets } = await app.admin.call(environments.create, {
    params,
    body: { name: 'E', secrets: [secret] },
  });
  const template = await seed.template({ environment_id: id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(app.admin, task)).includes('begun'));
  const change = { operation: 'update', id: secrets?.[0]?.id, secret: 'canary-new' } as const;
  await app.admin.call(environments.update, {
    params: { ...params, environment_id: id },
    body: { name: 'E', secrets: [change] },
  });
  await app.app.runner.close();
  await gate.open();
  await restart(app);
  await untilStatus(app.admin, task, 'success');
  expect(await logText(app.admin, task)).toContain('begun\n********');
});
