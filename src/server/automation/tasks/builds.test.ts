// Release on PostgreSQL: it is about whole tasks, with git and programs.
// Slow: whole tasks, with git and programs.
// Builds with versions, deploys of what they built, and tasks that wait for a confirmation.

import { describe, expect, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { missingFormFields, templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject, type Seed } from '../../../../test/helpers/seed.ts';
import {
  claimNext,
  launch,
  logText,
  readTask,
  untilFinished,
  untilStatus,
} from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { takeVersion } from './runs/runner-tasks.ts';
import { endTask, moveTask } from './move-task.ts';

const confirm = (app: TestApp, { project_id, id }: Task) =>
  app.admin.ask(tasks.confirm, { params: { project_id, task_id: id } });

async function listTasks(app: TestApp, seed: Seed): Promise<Task[]> {
  return app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
}

describe('builds', () => {
  test('get one version after the other; one that never began takes none', async () => {
    const { app, seed } = await appWithProject();
    const build = await seed.template({ type: 'build', start_version: 'v1.0-rc' });
    const versions: (string | null)[] = [];
    for (const begins of [true, false, true]) {
      await launch(app.admin, seed.projectId, { template_id: build.id });
      const claimed = await claimNext(app.ctx);
      if (!claimed) throw new Error('nothing to claim');
      if (begins) {
        await moveTask(app.ctx, claimed, 'running');
        await takeVersion(app.ctx, claimed);
      }
      await endTask(app.ctx, claimed, 'error');
      versions.push((await listTasks(app, seed))[0]?.version ?? null);
    }
    expect(versions).toEqual(['v1.0-rc', null, 'v1.1-rc']);
  });

  test('that begin at once never share a version', async () => {
    const { app, seed } = await appWithProject();
    const fields = { type: 'build', start_version: '7', allow_parallel_tasks: true } as const;
    const build = await seed.template(fields);
    for (let count = 0; count < 8; count += 1) {
      await launch(app.admin, seed.projectId, { template_id: build.id });
    }
    const claimed = [];
    for (let next = await claimNext(app.ctx); next; next = await claimNext(app.ctx)) {
      claimed.push(next);
    }
    await Promise.all(claimed.map((task) => takeVersion(app.ctx, task)));
    const versions = (await listTasks(app, seed)).map(({ version }) => Number(version));
    expect(versions.toSorted((a, b) => a - b)).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
  });

  test('lists say of each deploy what it deploys', async () => {
    const { app, seed } = await appWithProject();
    const build = await seed.template({ type: 'build', start_version: '1' });
    const deploy = await seed.template({ type: 'deploy', build_template_id: build.id });
    const built = await launch(app.admin, seed.projectId, { template_id: build.id });
    const claimed = await claimNext(app.ctx);
    if (!claimed) throw new Error('nothing to claim');
    await moveTask(app.ctx, claimed, 'running');
    await takeVersion(app.ctx, claimed);
    await endTask(app.ctx, claimed, 'success');
    const body = { template_id: deploy.id, build_task_id: built.id };
    await launch(app.admin, seed.projectId, body);
    const [first, second] = await listTasks(app, seed);
    expect(first?.build_task).toMatchObject({ id: built.id, version: '1', status: 'success' });
    expect(second?.build_task).toBeNull();
  });
});

describe('a template', () => {
  test('of a build needs a start version in the form, one of a deploy a build template', async () => {
    const { seed } = await appWithProject();
    const none = { start_version: null, build_template_id: null };
    expect(missingFormFields({ ...none, type: 'build' })).toEqual([
      ['start_version', 'template.start_version_required'],
    ]);
    expect(missingFormFields({ ...none, type: 'build', start_version: '1.0' })).toEqual([]);
    expect(missingFormFields({ ...none, type: 'deploy' })).toEqual([
      ['build_template_id', 'template.build_template_required'],
    ]);
    expect(missingFormFields({ ...none, type: '' })).toEqual([]);
    const plain = await seed.template();
    await expect(seed.template({ type: 'deploy', build_template_id: plain.id })).rejects.toThrow(
      'Choose a build or deploy template',
    );
  });

  test('never deploys what it builds itself, over others either', async () => {
    const { app, seed } = await appWithProject();
    const build = await seed.template({ type: 'build', start_version: '1' });
    const one = await seed.template({ type: 'deploy', build_template_id: build.id });
    const two = await seed.template({ type: 'deploy', build_template_id: one.id });
    const params = { project_id: seed.projectId, template_id: one.id };
    for (const wrong of [one.id, two.id]) {
      const body = { ...one, type: 'deploy' as const, app: 'ansible' as const };
      const change = {
        ...body,
        environment_id: seed.environmentId,
        inventory_id: seed.inventoryId,
      };
      const answer = await app.admin.ask(templates.update, {
        params,
        body: { ...change, build_template_id: wrong },
      });
      expect([answer.status, answer.body.fields?.[0]?.code]).toEqual([
        400,
        'template.build_template_wrong',
      ]);
    }
    const removal = await app.admin.ask(templates.remove, { params });
    expect([removal.status, removal.body.inUse]).toEqual([400, true]);
  });

  test('of a build that has lost its start version still runs, without a version', async () => {
    const { app, seed } = await appWithProject(undefined, { runner: true });
    const build = await seed.template({ type: 'build', start_version: '1' });
    const first = await launch(app.admin, seed.projectId, { template_id: build.id });
    expect((await untilStatus(app.admin, first, 'success')).version).toBe('1');
    await app.ctx.db.updateTable('templates').set({ start_version: null }).execute();
    const second = await launch(app.admin, seed.projectId, { template_id: build.id });
    expect((await untilStatus(app.admin, second, 'success')).version).toBeNull();
  });

  test('keeps only what belongs to its kind', async () => {
    const { app, seed } = await appWithProject();
    const build = await seed.template({ type: 'build', start_version: '1', autorun: true });
    expect([build.start_version, build.autorun]).toEqual(['1', false]);
    const plain = await seed.template({ start_version: '3', build_template_id: build.id });
    expect([plain.start_version, plain.build_template_id]).toEqual(['3', null]);
    // A version that it would have as a build is only read back.
    const task = await launch(app.admin, seed.projectId, { template_id: plain.id });
    expect(task.version).toBeNull();
  });
});

describe('a deploy', () => {
  test('takes a successful task of its build template, and nothing else', async () => {
    const { app, seed } = await appWithProject({ 'play.yml': ':\n' }, { runner: true });
    const build = await seed.template({ type: 'build', start_version: '1' });
    const other = await seed.template({ type: 'build', start_version: '1' });
    const deploy = await seed.template({ type: 'deploy', build_template_id: build.id });
    const good = await launch(app.admin, seed.projectId, { template_id: build.id });
    const foreign = await launch(app.admin, seed.projectId, { template_id: other.id });
    for (const task of [good, foreign]) await untilStatus(app.admin, task, 'success');
    const ask = (body: object) =>
      app.admin.ask(tasks.start, {
        params: { project_id: seed.projectId },
        body: { template_id: deploy.id, ...body },
      });
    const code = async (body: object) => (await ask(body)).body.fields?.[0]?.code;
    expect(await code({})).toBe('task.build_required');
    expect(await code({ build_task_id: foreign.id })).toBe('task.build_wrong');
    expect(await code({ build_task_id: 4711 })).toBe('task.build_wrong');
    const wrong = await ask({ template_id: build.id, build_task_id: good.id });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'task.field_not_allowed']);
    expect((await ask({ build_task_id: good.id })).status).toBe(201);
  });

  test('follows its build by itself, over a chain, and the versions reach each run', async () => {
    const app = await testApp({ runner: true });
    const script = 'for a; do case $a in *@*) cat "${a#*@}";; esac; done; env | grep TASK_\n';
    const seed = await seedProject(app.admin, { 'play.yml': script });
    const build = await seed.template({ type: 'build', start_version: '2.0' });
    const test1 = { type: 'deploy', build_template_id: build.id, autorun: true } as const;
    const stage = await seed.template(test1);
    const live = await seed.template({ ...test1, build_template_id: stage.id });
    const built = await launch(app.admin, seed.projectId, { template_id: build.id, message: 'go' });
    const all = await until(async () => {
      const list = await listTasks(app, seed);
      return list.length === 3 && list.every(({ status }) => status === 'success') && list;
    });
    const ofLive = all.find(({ template_id: id }) => id === live.id);
    const ofStage = all.find(({ template_id: id }) => id === stage.id);
    expect(ofStage?.build_task_id).toBe(built.id);
    expect(ofLive?.build_task_id).toBe(ofStage?.id);
    expect(ofLive?.user_id).toBeNull();
    const log = await logText(app.admin, built);
    expect(log).toContain('"target_version": !unsafe "2.0"');
    expect(log).toContain('"message": !unsafe "go"');
    expect(log).toContain('"username": !unsafe "root"');
    expect(log).toContain('SIGNALBOX_TASK_TARGET_VERSION=2.0');
    const liveLog = ofLive ? await logText(app.admin, ofLive) : '';
    expect(liveLog).toContain('"incoming_version": !unsafe "2.0"');
    expect(liveLog).toContain('SEMAPHORE_TASK_INCOMING_VERSION=2.0');
  });

  test('does not follow a build that failed or was stopped', async () => {
    const app = await testApp({ runner: true });
    const slowly =
      'trap "echo ending well; exit 0" TERM; echo begun; while :; do sleep 0.05; done\n';
    const seed = await seedProject(app.admin, { 'play.yml': 'exit 1\n', 'slow.yml': slowly });
    const build = await seed.template({ type: 'build', start_version: '1' });
    await seed.template({ type: 'deploy', build_template_id: build.id, autorun: true });
    const built = await launch(app.admin, seed.projectId, { template_id: build.id });
    expect((await untilFinished(app.admin, built)).status).toBe('error');
    const slow = await seed.template({
      type: 'build',
      start_version: '1',
      playbook: 'slow.yml',
    });
    await seed.template({ type: 'deploy', build_template_id: slow.id, autorun: true });
    const stopped = await launch(app.admin, seed.projectId, { template_id: slow.id });
    await until(async () => (await logText(app.admin, stopped)).includes('begun'));
    const params = { project_id: seed.projectId, task_id: stopped.id };
    await app.admin.call(tasks.stop, { params, body: {} });
    // Its program ends well all the same.
    expect((await untilFinished(app.admin, stopped)).status).toBe('stopped');
    expect(await logText(app.admin, stopped)).toContain('ending well');
    expect(await listTasks(app, seed)).toHaveLength(2);
  });
});

describe('a task that needs a confirmation', () => {
  test('runs nothing before, and who confirmed it is kept', async () => {
    const { app, seed } = await appWithProject(undefined, { runner: true });
    const template = await seed.template({ requires_confirmation: true });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    await untilStatus(app.admin, task, 'waiting_confirmation');
    expect(await logText(app.admin, task)).toBe('');
    const guest = await app.member(seed.projectId, 'guest');
    const params = { project_id: seed.projectId, task_id: task.id };
    expect((await guest.ask(tasks.confirm, { params })).status).toBe(403);
    const runner = await app.member(seed.projectId, 'task_runner');
    expect((await runner.ask(tasks.confirm, { params })).status).toBe(204);
    const done = await untilStatus(app.admin, task, 'success');
    expect(done.confirmed_by).toBe(runner.userId);
    expect(String(done.confirmed_at) <= String(done.start)).toBe(true);
    const again = await confirm(app, task);
    expect([again.status, again.body.code]).toEqual([409, 'task.wrong_status']);
  });

  test('occupies no slot, lets no other of its template pass, and can be stopped', async () => {
    const { app, seed } = await appWithProject(undefined, {
      runner: true,
      config: { maxParallelTasks: 1 },
    });
    const template = await seed.template({ requires_confirmation: true });
    const one = await launch(app.admin, seed.projectId, { template_id: template.id });
    await untilStatus(app.admin, one, 'waiting_confirmation');
    const two = await launch(app.admin, seed.projectId, { template_id: template.id });
    const other = await seed.template();
    const free = await launch(app.admin, seed.projectId, { template_id: other.id });
    await untilStatus(app.admin, free, 'success');
    expect((await readTask(app.admin, two)).status).toBe('waiting');
    expect((await confirm(app, two)).status).toBe(409);
    const params = { project_id: seed.projectId, task_id: one.id };
    await app.admin.call(tasks.stop, { params, body: {} });
    expect((await readTask(app.admin, one)).status).toBe('stopped');
    await untilStatus(app.admin, two, 'waiting_confirmation');
  });

  test('still waits after a restart of the server', async () => {
    const { app, seed } = await appWithProject();
    const template = await seed.template({ requires_confirmation: true });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    expect(await claimNext(app.ctx)).toBeNull();
    await app.app.runner.start();
    expect((await readTask(app.admin, task)).status).toBe('waiting_confirmation');
    expect((await confirm(app, task)).status).toBe(204);
    await untilStatus(app.admin, task, 'success');
  });
});
