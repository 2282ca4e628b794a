import { describe, expect, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { claimNext, launch, presentRunner, readTask } from '../../../../test/helpers/tasks.ts';
import { openAnswers } from './runs/runner-tasks.ts';
import { endTask, moveTask } from './move-task.ts';

describe('tasks', () => {
  test('a waiting task is handed to exactly one of many claimants', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template();
    for (let round = 0; round < 10; round += 1) {
      const { id } = await launch(app.admin, seed.projectId, { template_id: template.id });
      const claims = Array.from({ length: 12 }, () => claimNext(app.ctx));
      const got = (await Promise.all(claims)).filter((task) => task !== null);
      expect(got.map((task) => task.id)).toEqual([id]);
      for (const task of got) await endTask(app.ctx, task, 'error');
    }
  });

  test('tasks of one template wait for each other, those of others do not', async () => {
    const { app, seed } = await appWithProject();
    const [one, other] = [await seed.template(), await seed.template()];
    const ids: number[] = [];
    for (const template of [one, one, other]) {
      const task = await launch(app.admin, seed.projectId, { template_id: template.id });
      ids.push(task.id);
    }
    const first = await claimNext(app.ctx);
    const second = await claimNext(app.ctx);
    expect([first?.id, second?.id]).toEqual([ids[0], ids[2]]);
    expect(await claimNext(app.ctx)).toBeNull();
    if (first) await endTask(app.ctx, first, 'error');
    expect((await claimNext(app.ctx))?.id).toBe(ids[1]);
  });

  test('a waiting task says why it waits', async () => {
    const app = await testApp({ config: { maxParallelTasks: 2 } });
    await presentRunner(app.ctx);
    const seeds = [await seedProject(app.admin), await seedProject(app.admin)];
    const change = { max_parallel_tasks: 1 };
    const limited = seeds[0]?.projectId ?? 0;
    await app.ctx.db.updateTable('projects').set(change).where('id', '=', limited).execute();
    const start = async (index: number, template?: { id: number }) => {
      const seed = seeds[index];
      const { id } = template ?? (await seed?.template()) ?? { id: 0 };
      return launch(app.admin, seed?.projectId ?? 0, { template_id: id });
    };
    const template = await seeds[0]?.template();
    const first = await start(0, template);
    expect(first.waiting_for).toBeNull();
    await claimNext(app.ctx);
    const same = await start(0, template);
    const other = await start(0);
    await start(1);
    await claimNext(app.ctx);
    const last = await start(1);
    const reasonOf = async (task: Task) => (await readTask(app.admin, task)).waiting_for;
    const none = { task_id: null, limit: null, until: null, tags: null };
    expect(await reasonOf(same)).toEqual({ ...none, reason: 'template', task_id: first.id });
    expect(await reasonOf(other)).toEqual({ ...none, reason: 'project', limit: 1 });
    expect(await reasonOf(last)).toEqual({ ...none, reason: 'server', limit: 2 });
    const params = { project_id: limited };
    const listed = await app.admin.call(tasks.list, { params });
    expect(listed.map((task) => task.waiting_for?.reason ?? null)).toEqual([
      'project',
      'template',
      null,
    ]);
  });

  test('tasks of a template that allows it run beside each other', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template({ allow_parallel_tasks: true });
    const body = { template_id: template.id };
    const [one, two] = [
      await launch(app.admin, seed.projectId, body),
      await launch(app.admin, seed.projectId, body),
    ];
    expect((await claimNext(app.ctx))?.id).toBe(one.id);
    expect((await claimNext(app.ctx))?.id).toBe(two.id);
  });

  test('the limits of the project and of the server hold', async () => {
    const app = await testApp({ config: { maxParallelTasks: 3 } });
    const limited = await seedProject(app.admin);
    const free = await seedProject(app.admin);
    const change = { max_parallel_tasks: 1 };
    await app.ctx.db
      .updateTable('projects')
      .set(change)
      .where('id', '=', limited.projectId)
      .execute();
    for (const seed of [limited, free]) {
      for (let count = 0; count < 3; count += 1) {
        const template = await seed.template();
        await launch(app.admin, seed.projectId, { template_id: template.id });
      }
    }
    const claimed = [];
    for (let next = await claimNext(app.ctx); next; next = await claimNext(app.ctx)) {
      claimed.push(next.project_id);
    }
    expect(claimed).toEqual([limited.projectId, free.projectId, free.projectId]);
  });

  test('a waiting task stops at once; of a finished one there is nothing to stop', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template();
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const params = { project_id: seed.projectId, task_id: task.id };
    await app.admin.call(tasks.stop, { params, body: {} });
    const stopped = await readTask(app.admin, task);
    expect(stopped.status).toBe('stopped');
    expect(stopped.end).not.toBeNull();
    const again = await app.admin.ask(tasks.stop, { params, body: { force: true } });
    expect(again.status).toBe(204);
    expect(await readTask(app.admin, task)).toEqual(stopped);
    expect(await claimNext(app.ctx)).toBeNull();
  });

  test('a task that was told to stop ends as stopped, whatever came of it', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template();
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const claimed = await claimNext(app.ctx);
    await app.admin.call(tasks.stop, {
      params: { project_id: seed.projectId, task_id: task.id },
      body: {},
    });
    expect((await readTask(app.admin, task)).status).toBe('stopping');
    expect(claimed && (await moveTask(app.ctx, claimed, 'running'))).toBe(false);
    if (claimed) await endTask(app.ctx, claimed, 'success');
    expect((await readTask(app.admin, task)).status).toBe('stopped');
    expect(claimed && (await endTask(app.ctx, claimed, 'error'))).toBe(false);
  });

  test('lists are newest first, with a cursor and filters', async () => {
    const { app, seed, params } = await appWithProject();
    const [one, other] = [await seed.template(), await seed.template()];
    const ids: number[] = [];
    for (const template of [one, other, one, other, one]) {
      ids.push((await launch(app.admin, seed.projectId, { template_id: template.id })).id);
    }
    const [a, b, c, d, e] = ids;
    const list = async (query: object) =>
      (await app.admin.call(tasks.list, { params, query })).map((task) => task.id);
    expect(await list({})).toEqual([e, d, c, b, a]);
    expect(await list({ limit: 2 })).toEqual([e, d]);
    expect(await list({ limit: 2, before: d })).toEqual([c, b]);
    expect(await list({ template_id: other.id })).toEqual([d, b]);
    expect(await list({ status: 'running' })).toEqual([]);
    expect(await list({ user_id: app.admin.userId + 1 })).toEqual([]);
    const ofTemplate = { ...params, template_id: one.id };
    const last = await app.admin.call(tasks.lastOfTemplate, {
      params: ofTemplate,
      query: { limit: 1 },
    });
    expect(last.map((task) => task.id)).toEqual([e]);
  });
});

describe('a launch', () => {
  test('is refused with 422 when it sets what the template does not allow', async () => {
    const { app, seed, params } = await appWithProject();
    const template = await seed.template({ allow_debug_in_task: false });
    const open = await seed.template({
      allow_override_args_in_task: true,
      allow_override_branch_in_task: true,
      allow_override_limit_in_task: true,
      allow_override_tags_in_task: true,
      allow_override_skip_tags_in_task: true,
    });
    const fields = {
      playbook: 'other.yml',
      arguments: '["--forks=2"]',
      git_branch: 'next',
      limit: 'web1',
      tags: 'a',
      skip_tags: 'b',
      debug: true,
      inventory_id: seed.inventoryId + 1000,
    };
    for (const [field, value] of Object.entries(fields)) {
      const body = { template_id: template.id, [field]: value };
      const { status, body: answer } = await app.admin.ask(tasks.start, { params, body });
      expect([status, answer.code, answer.params]).toEqual([
        422,
        'task.field_not_allowed',
        { field },
      ]);
    }
    for (const [field, value] of Object.entries(fields)) {
      if (field === 'playbook' || field === 'inventory_id') continue;
      const body = { template_id: open.id, [field]: value };
      expect((await app.admin.ask(tasks.start, { params, body })).status).toBe(201);
    }
    expect(await app.admin.call(tasks.list, { params })).toHaveLength(6);
  });

  test('takes no variable that the survey does not ask for', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template();
    const body = { template_id: template.id, environment: '{"ansible_host":"evil"}' };
    const answer = await app.admin.ask(tasks.start, {
      params: { project_id: seed.projectId },
      body,
    });
    expect([answer.status, answer.body.params]).toEqual([
      422,
      { field: 'environment.ansible_host' },
    ]);
  });

  test('keeps secret answers sealed and out of every reply', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template({
      survey_vars: [{ name: 'token', title: 'Token', type: 'secret', required: true }],
    });
    const body = { template_id: template.id, secret: '{"token":"canary-4711"}' };
    const task = await launch(app.admin, seed.projectId, body);
    expect(JSON.stringify(task)).not.toContain('canary');
    expect(task.secret_answers).toEqual(['token']);
    const row = await app.ctx.db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('canary');
    const claimed = await claimNext(app.ctx);
    const answers = claimed && (await openAnswers(app.ctx, claimed));
    expect(answers).toEqual({ token: 'canary-4711' });
    if (claimed) {
      await moveTask(app.ctx, claimed, 'running');
      await endTask(app.ctx, claimed, 'success');
    }
    const after = await app.ctx.db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
    expect(after.secret).toBeNull();
  });

  test('takes only a commit that the template has run', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template();
    const body = { template_id: template.id, commit_hash: 'a'.repeat(40) };
    const answer = await app.admin.ask(tasks.start, {
      params: { project_id: seed.projectId },
      body,
    });
    expect([answer.status, answer.body.fields?.[0]?.path]).toEqual([400, 'commit_hash']);
  });

  test('is refused when the program is not installed', async () => {
    const { app, seed } = await appWithProject(undefined, { config: { path: '/nowhere' } });
    const template = await seed.template();
    const answer = await app.admin.ask(tasks.start, {
      params: { project_id: seed.projectId },
      body: { template_id: template.id },
    });
    expect([answer.status, answer.body.code]).toEqual([409, 'template.app_unavailable']);
  });

  test('of a template of another project is refused', async () => {
    const app = await testApp();
    const [own, foreign] = [await seedProject(app.admin), await seedProject(app.admin)];
    const template = await foreign.template();
    const answer = await app.admin.ask(tasks.start, {
      params: { project_id: own.projectId },
      body: { template_id: template.id },
    });
    expect([answer.status, answer.body.code]).toEqual([404, 'template.not_found']);
    expect(await app.admin.call(projects.list, {})).toHaveLength(2);
  });
});
