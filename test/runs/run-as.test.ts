// Slow: users are made, and real programs run as them.
// Tasks as users of their own: what must go on as it does without.

import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { inventories } from '#shared/api/inventories.ts';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { type TestApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { gitRepository, type Seed } from '../helpers/seed.ts';
import { launch, logText, readTask, untilStatus } from '../helpers/tasks.ts';
import { makeRunUsers } from '../helpers/unix-user.ts';
import { until } from '../helpers/until.ts';
import { createApp } from '../../src/server/app.ts';
import { openContext } from '../../src/server/open-context.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import {
  findRunUsers,
  isUserList,
  tasksAtOnce,
  type RunUser,
} from '../../src/node/process/run-users.ts';

const longTime = 120_000;

const standIn = fileURLToPath(new URL('../fixtures/stand-in/terraform', import.meta.url));

async function setUp(files: Record<string, string>, count = 3) {
  const users = makeRunUsers(count);
  const config = { runAs: users, maxParallelTasks: tasksAtOnce(0, users) };
  const { app, seed } = await appWithProject(files, { runner: true, config });
  const place = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params: place });
  // The users of tasks read it, as they would read any local repository.
  await chmod(path, 0o755);
  return { app, seed, users, path };
}

async function start(app: TestApp, seed: Seed, fields: Parameters<Seed['template']>[0] = {}) {
  const template = await seed.template({ app: 'bash', ...fields });
  return launch(app.admin, seed.projectId, { template_id: template.id });
}

const whoRan = async (app: TestApp, task: Awaited<ReturnType<typeof start>>): Promise<string> =>
  /I am (\d+)/.exec(await logText(app.admin, task))?.[1] ?? '';

const uids = (users: RunUser[]): string[] => users.map(({ uid }) => String(uid));

test(
  'tasks at once have different users, and a third waits for one that is free',
  { timeout: longTime },
  async () => {
    const { app, seed, users } = await setUp({
      'play.yml': 'echo "I am $(id -u)"; while :; do sleep 1; done\n',
      'end.yml': 'echo "I am $(id -u)"\n',
    });
    const first = await start(app, seed);
    const second = await start(app, seed);
    const third = await start(app, seed, { playbook: 'end.yml' });
    await until(
      async () => (await whoRan(app, first)) !== '' && (await whoRan(app, second)) !== '',
    );
    const running = [await whoRan(app, first), await whoRan(app, second)];
    expect(new Set(running)).toEqual(new Set(uids(users).slice(0, 2)));
    expect((await readTask(app.admin, third)).status).toBe('waiting');
    const params = { project_id: seed.projectId, task_id: first.id };
    await app.admin.call(tasks.stop, { params, body: { force: true } });
    await untilStatus(app.admin, third, 'success');
    expect(await whoRan(app, third)).toBe(running[0]);
    await app.admin.call(tasks.stop, {
      params: { ...params, task_id: second.id },
      body: { force: true },
    });
    await untilStatus(app.admin, second, 'stopped');
    await until(async () => (await readdir(join(app.ctx.config.dataDir, 'runs'))).length === 0);
  },
);

test(
  'a task of another user outlives the server, and its line and result are not lost',
  { timeout: longTime },
  async () => {
    const { app, seed, users } = await setUp({
      'play.yml':
        'echo "I am $(id -u)"; until [ -e "$HOME/go" ]; do sleep 0.1; done; echo after; exit 3\n',
    });
    const task = await start(app, seed);
    await until(async () => (await whoRan(app, task)) !== '');
    await app.app.runner.close();
    const ctx = await openContext(app.parts);
    const next = await createApp(ctx, app.parts);
    await next.runner.start();
    const runs = join(app.ctx.config.dataDir, 'runs');
    const [name = ''] = await readdir(runs);
    await writeFile(join(runs, name, 'home/go'), '');
    await until(async () => {
      const row = await ctx.db.selectFrom('tasks').select('status').executeTakeFirstOrThrow();
      return row.status === 'error';
    });
    await until(async () => (await readdir(runs)).length === 0);
    const log = await logText(app.admin, task);
    expect(log).toContain(`I am ${users[0]?.uid}`);
    expect(log.match(/^after$/gm)).toHaveLength(1);
    expect(log).toContain('ended with the exit code 3');
    await next.close();
    await ctx.close();
  },
);

test(
  'a mirror is the server’s when no git works on it, and looks have a user too',
  { timeout: longTime },
  async () => {
    const { app, seed, path } = await setUp({ 'play.yml': 'git log --oneline | cat\n' });
    const other = await gitRepository({ 'a.txt': 'a' });
    await chmod(other, 0o755);
    const task = await start(app, seed);
    await untilStatus(app.admin, task, 'success');
    expect(await logText(app.admin, task)).toContain('First commit');
    const mirrors = join(app.ctx.config.dataDir, 'mirrors');
    const [mirror = ''] = await readdir(mirrors);
    const { uid, mode } = await stat(join(mirrors, mirror));
    expect([uid, mode & 0o077]).toEqual([0, 0]);
    const params = { project_id: seed.projectId };
    const seen = await app.admin.call(repositories.branches, {
      params,
      body: { git_url: path, ssh_key_id: seed.keyId },
    });
    expect(seen).toMatchObject({ branches: ['main'], failure: null });
    const preview = await app.admin.call(inventories.preview, {
      params,
      body: { type: 'static', inventory: 'one\ntwo\n' },
    });
    expect(preview).toMatchObject({ parsed: true, host_count: 2 });
  },
);

test(
  'a task that waits between its steps gives its user back, and goes on as whoever is free',
  { timeout: longTime },
  async () => {
    const { app, seed, users } = await setUp({
      'infra/main.tf': '# input: one\n',
      'play.yml': 'echo "I am $(id -u)"; while :; do sleep 1; done\n',
    });
    const params = { app_id: 'terraform' };
    await app.admin.call(apps.update, { params, body: { path: standIn } });
    const fields = { app: 'terraform', playbook: 'infra', inventory_id: null } as const;
    const plan = await start(app, seed, fields);
    await untilStatus(app.admin, plan, 'waiting_confirmation');
    const runs = join(app.ctx.config.dataDir, 'runs');
    const [parked = ''] = await readdir(runs);
    const folders = [join(runs, parked), join(runs, parked, 'home')];
    const owners = await Promise.all(folders.map(async (path) => (await stat(path)).uid));
    expect([owners, (await stat(join(runs, parked))).mode & 0o077]).toEqual([[0, 0], 0]);
    // Takes the user that the plan had.
    const other = await start(app, seed);
    await until(async () => (await whoRan(app, other)) === String(users[0]?.uid));
    const place = { project_id: seed.projectId, task_id: plan.id };
    await app.admin.call(tasks.confirm, { params: place });
    await untilStatus(app.admin, plan, 'success');
    const state = join(app.ctx.config.dataDir, 'terraform', String(seed.projectId));
    const template = (await readdir(state)).find((name) => !name.includes('.')) ?? '';
    // The server's again, since its user may be anybody's next.
    await until(async () => (await stat(join(state, template))).uid === 0);
    await app.admin.call(tasks.stop, {
      params: { ...place, task_id: other.id },
      body: { force: true },
    });
    await untilStatus(app.admin, other, 'stopped');
  },
);

test('a setting that names nobody, root or a group in common is refused with the way out', () => {
  for (const text of ['run', 'run[1-8]', 'a, b_2,c[3-3]']) expect(isUserList(text)).toBe(true);
  for (const text of ['', '-run', 'run[1-]', 'a;b', 'run[1-2000]'])
    expect(isUserList(text)).toBe(false);
  expect(() => loadConfig({ SIGNALBOX_RUN_AS: 'nobody-of-this-name' })).toThrow('useradd --system');
  expect(() => findRunUsers('root')).toThrow('is root');
  expect(() => findRunUsers('daemon,nobody')).toThrow('may be a person');
  expect(findRunUsers('')).toEqual([]);
  expect([tasksAtOnce(10, []), tasksAtOnce(0, [])]).toEqual([10, 0]);
});
