import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { ownEngine, testApp, type Caller, type TestApp } from '../../../test/helpers/app.ts';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { connect } from '../../../test/helpers/live.ts';
import { seedProject, type Seed } from '../../../test/helpers/seed.ts';
import { claimNext, launch, readTask, untilStatus } from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';
import type { Db } from '../db/open.ts';
import { holdProject } from '../people/members/members.ts';

const inProject = (project_id: number) => ({ params: { project_id } });

/** The number of rows of each table that belong to a project. */
async function countRows({ ctx }: TestApp, id: number): Promise<Record<string, number>> {
  const tables = [
    'tasks',
    'templates',
    'template_vaults',
    'inventories',
    'environments',
    'environment_secrets',
    'repositories',
    'views',
    'keys',
    'members',
  ] as const;
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const query = ctx.db.selectFrom(table).select('project_id').where('project_id', '=', id);
    counts[table] = (await query.execute()).length;
  }
  return counts;
}

/** A project with something in every table, and a task that has a log. */
async function fullProject(app: TestApp): Promise<Seed> {
  const seed = await seedProject(app.admin, null);
  const { projectId, keyId, repositoryId } = seed;
  const params = { project_id: projectId };
  await app.admin.call(environments.create, {
    params,
    body: { name: 'S', secrets: [{ type: 'env', name: 'A', secret: 'b', operation: 'create' }] },
  });
  await app.admin.call(inventories.create, {
    params,
    body: {
      name: 'Elsewhere',
      type: 'file',
      inventory: 'hosts',
      ssh_key_id: keyId,
      become_key_id: keyId,
      repository_id: repositoryId,
    },
  });
  const view = { project_id: projectId, title: 'View', position: 1 };
  await app.ctx.db.insertInto('views').values(view).execute();
  const build = await seed.template({ type: 'build', start_version: '1', vault_key_id: keyId });
  const deploy = await seed.template({ type: 'deploy', build_template_id: build.id });
  await seed.template({ type: 'deploy', build_template_id: deploy.id });
  const task = await launch(app.admin, projectId, { template_id: build.id });
  const success = { status: 'success' } as const;
  await app.ctx.db.updateTable('tasks').set(success).where('id', '=', task.id).execute();
  const next = { template_id: deploy.id, build_task_id: task.id };
  await launch(app.admin, projectId, next);
  await app.ctx.db.updateTable('tasks').set(success).execute();
  const line = { first_line: 1, lines: 1, bytes: 1, time: '', data: Buffer.from('x') };
  await app.ctx.db
    .insertInto('task_log_chunks')
    .values({ task_id: task.id, ...line })
    .execute();
  return seed;
}

describe('a project', () => {
  test('is changed by those who have the newest copy, or do not say', async () => {
    const app = await testApp();
    const { id, ...made } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    const owner = await app.member(id, 'owner');
    const body = { name: 'Ships', alert: true, alert_chat: '-1', max_parallel_tasks: 2 };
    const change = (more: object, ifMatch?: string) =>
      owner.ask(projects.update, {
        ...inProject(id),
        body: { ...body, ...more } as never,
        ifMatch,
      });
    expect((await change({ id }, '"r1"')).status).toBe(204);
    const { body: shown, headers } = await owner.ask(projects.one, inProject(id));
    expect([shown, headers['etag']]).toEqual([{ ...made, ...body, id }, '"r2"']);
    const stale = await change({ name: 'Late' }, '"r1"');
    expect([stale.status, stale.body.code]).toEqual([409, 'request.stale']);
    const emptied = { name: 'Old', alert_chat: '', max_parallel_tasks: null };
    expect((await change(emptied)).status).toBe(204);
    expect(await owner.call(projects.one, inProject(id))).toMatchObject({
      name: 'Old',
      alert_chat: '',
      max_parallel_tasks: 0,
    });
    const other = await change({ id: id + 1 });
    expect([other.status, other.body.fields]).toMatchObject([
      400,
      [{ path: 'id', code: 'field.mismatch' }],
    ]);
    const unknown = await app.admin.ask(projects.update, { ...inProject(999_999), body });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'project.not_found']);
  });

  test('goes with everything in it, and takes nothing of others with it', async () => {
    const app = await testApp();
    const [going, staying] = [await fullProject(app), await fullProject(app)];
    const before = await countRows(app, staying.projectId);
    expect(Object.values(before).every((count) => count > 0)).toBe(true);
    expect(await countRows(app, going.projectId)).toEqual(before);
    const guest = await app.member(going.projectId, 'guest');
    const owner = await app.member(going.projectId, 'owner');
    expect((await guest.ask(projects.remove, inProject(going.projectId))).status).toBe(403);
    expect((await owner.ask(projects.remove, inProject(going.projectId))).status).toBe(204);
    const left = await countRows(app, going.projectId);
    expect(Object.values(left).every((count) => count === 0)).toBe(true);
    expect(await countRows(app, staying.projectId)).toEqual(before);
    const chunks = await app.ctx.db.selectFrom('task_log_chunks').select('task_id').execute();
    expect(chunks).toHaveLength(1);
    for (const one of [owner, guest, app.admin]) {
      const { status, body } = await one.ask(projects.one, inProject(going.projectId));
      expect([status, body.code]).toEqual([404, 'project.not_found']);
    }
    expect((await app.admin.ask(projects.remove, inProject(going.projectId))).status).toBe(404);
  });

  test('stays while it has unfinished tasks, and names them', async () => {
    const { app, seed } = await appWithProject(null);
    const template = await seed.template();
    const start = () => launch(app.admin, seed.projectId, { template_id: template.id });
    const [first, second] = [await start(), await start()];
    const remove = () => app.admin.ask(projects.remove, inProject(seed.projectId));
    const { status, body } = await remove();
    expect([status, body.code]).toEqual([409, 'project.unfinished_tasks']);
    expect(body.params).toEqual({ tasks: `#${first.id}, #${second.id}` });
    for (let count = 0; count < 9; count += 1) await start();
    expect((await remove()).body.params['tasks']).toMatch(/^(#\d+, ){10}…$/);
    expect((await readTask(app.admin, first)).status).toBe('waiting');
    const of = { project_id: seed.projectId, template_id: template.id };
    await app.admin.call(tasks.stopAll, { params: of, body: {} });
    expect((await remove()).status).toBe(204);
  });

  test('either goes or runs a task that is taken in the same moment', async () => {
    const app = await testApp();
    for (let round = 0; round < 8; round += 1) {
      const seed = await seedProject(app.admin, null);
      const template = await seed.template();
      const start = { ...inProject(seed.projectId), body: { template_id: template.id } };
      const add = { ...inProject(seed.projectId), body: { name: 'New', type: 'none' } } as const;
      const [removed, started, added, claimed] = await Promise.all([
        app.admin.ask(projects.remove, inProject(seed.projectId)),
        app.admin.ask(tasks.start, start),
        app.admin.ask(keys.create, add),
        claimNext(app.ctx),
      ]);
      expect([204, 409]).toContain(removed.status);
      expect([201, 404]).toContain(started.status);
      expect([201, 404, 409]).toContain(added.status);
      const left = await countRows(app, seed.projectId);
      const isGone = Object.values(left).every((count) => count === 0);
      expect(isGone).toBe(removed.status === 204);
      expect(isGone && claimed !== null).toBe(false);
      await app.ctx.db.deleteFrom('tasks').execute();
    }
  });

  test('waits for the queue that takes a task of it, and then stays', async () => {
    const { app, seed } = await appWithProject(null);
    const template = await seed.template();
    await launch(app.admin, seed.projectId, { template_id: template.id });
    const ended = { status: 'success' } as const;
    await app.ctx.db.updateTable('tasks').set(ended).execute();
    const removal = await app.ctx.db.transaction().execute(async (trx) => {
      await holdProject(trx, seed.projectId);
      const { id: _id, ...same } = await trx
        .selectFrom('tasks')
        .selectAll()
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('tasks')
        .values({ ...same, status: 'running' })
        .execute();
      const asked = app.admin.ask(projects.remove, inProject(seed.projectId));
      // SQLite has only one connection, so there no other query can wait.
      if (ownEngine === 'postgres') await until(() => isSomebodyWaiting(app.ctx.db));
      return { asked };
    });
    const { status, body } = await removal.asked;
    expect([status, body.code]).toEqual([409, 'project.unfinished_tasks']);
    expect((await countRows(app, seed.projectId))['tasks']).toBe(2);
  });
});

async function isSomebodyWaiting(db: Db): Promise<boolean> {
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const { rows } = await waiting.execute(db);
  return rows.length > 0;
}

test('a higher limit of a project lets the next task start at once', async () => {
  const app = await testApp({ runner: true });
  const script = 'echo started; while ! [ -e go ]; do sleep 0.05; done\n';
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const limit = (max_parallel_tasks: number) =>
    app.admin.call(projects.update, {
      ...inProject(seed.projectId),
      body: { name: 'Narrow', max_parallel_tasks },
    });
  await limit(1);
  const template = await seed.template({ allow_parallel_tasks: true });
  const start = () => launch(app.admin, seed.projectId, { template_id: template.id });
  const [first, second] = [await start(), await start()];
  await untilStatus(app.admin, first, 'running');
  const waiting = await readTask(app.admin, second);
  expect(waiting).toMatchObject({
    status: 'waiting',
    waiting_for: { reason: 'project', limit: 1 },
  });
  await limit(2);
  expect((await untilStatus(app.admin, second, 'running')).status).toBe('running');
});

test('the files of a project are set aside with its end, and open consoles hear of it', async () => {
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const seed = await seedProject(app.admin);
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, task, 'success');
  const { dataDir } = app.ctx.config;
  const project = String(seed.projectId);
  const pins = join(dataDir, 'known-hosts', project);
  const state = join(dataDir, 'terraform', project, String(template.id));
  const resources = [{ mode: 'managed', type: 'a', name: 'b', instances: [{}] }];
  await mkdir(pins, { recursive: true });
  await writeFile(join(pins, 'known_hosts'), 'example.com ssh-ed25519 key');
  await mkdir(join(state, 'state'), { recursive: true });
  await writeFile(
    join(state, 'state', 'terraform.tfstate'),
    JSON.stringify({ version: 4, resources }),
  );
  const exists = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  const member: Caller = await app.member(seed.projectId, 'guest');
  const client = await connect(address, { cookie: member.cookie });
  client.send({ type: 'subscribe', topic: 'project', project_id: seed.projectId });
  await client.untilMessage('subscribed');
  await app.admin.call(projects.remove, inProject(seed.projectId));
  expect((await client.untilMessage('refused')).code).toBe('project.not_found');
  await until(async () => !(await exists(pins)) && !(await exists(state)));
  const aside = await readdir(join(dataDir, 'set-aside'), { recursive: true });
  for (const name of ['known_hosts', 'terraform.tfstate']) {
    expect(aside).toContainEqual(expect.stringContaining(name));
  }
  expect((await app.admin.ask(templates.list, inProject(seed.projectId))).status).toBe(404);
});
