// Schedules that start workflows.

import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { schedules, type Schedule } from '#shared/api/schedules.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { commitFiles, git } from '../../../../test/helpers/seed.ts';
import { flows } from '../../../../test/helpers/workflows.ts';

type Fields = Partial<CallOf<typeof schedules.create>['body']>;

async function start(files: Record<string, string> | null = null) {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const f = await flows(app, files);
  const workflow = await f.add([await f.node('build')], '', 'Release');
  const create = (fields: Fields = {}) =>
    app.admin.call(schedules.create, {
      params: f.params,
      body: {
        workflow_id: workflow.id,
        cron_format: '* * * * *',
        time_zone: 'UTC',
        active: true,
        ...fields,
      },
    });
  const of = ({ id }: Pick<Schedule, 'id'>) => ({ ...f.params, schedule_id: id });
  const fires = async (schedule: Schedule) =>
    (await app.admin.call(schedules.fires, { params: of(schedule) })).toReversed();
  const at = async (time: string) => {
    app.clock.set(`2026-05-01T${time}Z`);
    await app.app.scheduler.runOnce();
  };
  const runs = () => app.admin.call(workflowRuns.list, { params: f.params });
  return { app, f, workflow, create, of, fires, at, runs };
}

const shown = (fires: { due: string; result: string; reason: string | null }[]) =>
  fires.map(({ due, result, reason }) => [due.slice(11, 16), reason ?? result]);

test('a due time starts a run, which says by what it was launched', async () => {
  const { app, f, workflow, create, fires, at, runs } = await start();
  const schedule = await create({ name: 'Nightly' });
  expect(schedule).toMatchObject({
    template_id: null,
    tpl_name: null,
    workflow_id: workflow.id,
    workflow_name: 'Release',
  });
  await at('10:01:01');
  const [run] = await runs();
  if (!run) throw new Error('there is no run');
  expect(run).toMatchObject({
    workflow_id: workflow.id,
    schedule_id: schedule.id,
    integration_id: null,
    user_id: null,
    status: 'running',
  });
  expect(await fires(schedule)).toMatchObject([
    { result: 'started', task_id: null, workflow_run_id: run.id },
  ]);
  expect((await f.decisions(run))[0]).toBe('The schedule "Nightly" started the run.');
  const event = await app.ctx.db
    .selectFrom('events')
    .select(['via', 'via_id', 'username'])
    .where('code', '=', 'workflow_run.launched')
    .executeTakeFirstOrThrow();
  expect(event).toEqual({ via: 'schedule', via_id: schedule.id, username: '' });
  await f.end(run, 'build', 'success');
  expect(await f.shown(run)).toBe('build+ success');
});

test('a due time is skipped while a run that the schedule has started goes on', async () => {
  const { f, create, fires, at, runs } = await start();
  const schedule = await create();
  await at('10:01:01');
  await at('10:02:01');
  const [run] = await runs();
  if (!run) throw new Error('there is no run');
  await f.end(run, 'build', 'success');
  await at('10:03:01');
  expect(shown(await fires(schedule))).toEqual([
    ['10:01', 'started'],
    ['10:02', 'previous_unfinished'],
    ['10:03', 'started'],
  ]);
  expect(await runs()).toHaveLength(2);
});

test('a run that somebody else has launched hinders no schedule', async () => {
  const { f, workflow, create, fires, at } = await start();
  await f.launch(workflow);
  const schedule = await create();
  await at('10:01:01');
  expect(shown(await fires(schedule))).toEqual([['10:01', 'started']]);
});

test('missed due times are one run if the schedule says so, and otherwise none', async () => {
  const { create, fires, at, runs } = await start();
  const once = await create({ missed: 'run' });
  const none = await create({ missed: 'skip' });
  await at('10:05:30');
  expect(shown(await fires(once))).toEqual([
    ['10:01', 'missed'],
    ['10:02', 'missed'],
    ['10:03', 'missed'],
    ['10:04', 'started'],
    ['10:05', 'previous_unfinished'],
  ]);
  expect(shown(await fires(none)).slice(-2)).toEqual([
    ['10:04', 'missed'],
    ['10:05', 'started'],
  ]);
  expect(await runs()).toHaveLength(2);
});

test('two rounds at once start one run', async () => {
  const { app, create, runs } = await start();
  await create();
  app.clock.set('2026-05-01T10:01:01Z');
  await Promise.all([app.app.scheduler.runOnce(), app.app.scheduler.runOnce()]);
  expect(await runs()).toHaveLength(1);
});

test('a schedule that is due once is deleted with its launch, and the run stays', async () => {
  const { app, create, of, at, runs } = await start();
  const schedule = await create({
    type: 'run_at',
    cron_format: '',
    run_at: '2026-05-01T10:01:00Z',
    delete_after_run: true,
  });
  await at('10:01:01');
  expect((await app.admin.ask(schedules.one, { params: of(schedule) })).status).toBe(404);
  expect(await runs()).toMatchObject([{ schedule_id: null, status: 'running' }]);
});

test('a workflow that cannot run leaves the reason and no run', async () => {
  const { app, workflow, create, fires, at, runs } = await start();
  const schedule = await create();
  const { graph } = workflow;
  const broken = { ...graph, edges: [{ from: 'build', to: 'gone', when: 'success' }] };
  await app.ctx.db
    .updateTable('workflows')
    .set({ graph: JSON.stringify(broken) })
    .execute();
  await at('10:01:01');
  const [fire] = await fires(schedule);
  expect(fire).toMatchObject({ result: 'failed', workflow_run_id: null });
  expect(fire?.code).toMatch(/^workflow\./);
  expect(await runs()).toEqual([]);
});

test('clients from before workflows are shown schedules of templates only', async () => {
  const { app, f, workflow, create } = await start();
  const { id: template_id } = await f.seed.template();
  const old = await create({ template_id, workflow_id: null, name: 'Old' });
  const own = await create({ name: 'Own' });
  const list = async (query: CallOf<typeof schedules.list>['query']) =>
    (await app.admin.call(schedules.list, { params: f.params, query })).map(({ id }) => id);
  expect(await list({})).toEqual([old.id]);
  expect(await list({ starts: 'all' })).toEqual([old.id, own.id]);
  expect(await list({ starts: 'workflows' })).toEqual([own.id]);
  expect(await list({ starts: 'all', workflow_id: workflow.id })).toEqual([own.id]);
  expect(await list({ starts: 'all', sort: 'next_due', limit: 1 })).toHaveLength(1);
});

test('a workflow that a schedule starts is not deleted', async () => {
  const { app, f, workflow, create, of } = await start();
  const schedule = await create();
  const params = { ...f.params, workflow_id: workflow.id };
  const refs = await app.admin.call(workflows.refs, { params });
  expect(refs.schedules).toEqual([{ id: schedule.id, name: 'Release' }]);
  const { body } = await app.admin.ask(workflows.remove, { params });
  expect([body.code, body.error]).toEqual([
    'workflow.in_use',
    'The workflow is used by schedule "Release". Change what uses it first.',
  ]);
  await app.admin.call(schedules.remove, { params: of(schedule) });
  await app.admin.call(workflows.remove, { params });
});

test('what a schedule starts is one thing, of its own project, and options are for templates', async () => {
  const { app, f, workflow, create, of } = await start();
  const other = await flows(app);
  const foreign = await other.add([await other.node('x')]);
  const { id: template_id } = await f.seed.template();
  const refused = async (fields: Fields) => {
    const body = { workflow_id: workflow.id, cron_format: '@daily', ...fields };
    const answer = await app.admin.ask(schedules.create, { params: f.params, body });
    return answer.body.fields?.map(({ path, code }) => `${path} ${code}`);
  };
  expect(await refused({ template_id })).toEqual(['workflow_id field.one_target']);
  expect(await refused({ workflow_id: null })).toEqual(['template_id field.required']);
  expect(await refused({ workflow_id: foreign.id })).toEqual(['workflow_id field.reference']);
  const options = { limit: 'web' };
  expect(await refused({ task_params: options })).toEqual(['task_params field.no_launch_options']);
  // A change to a workflow drops the options of the template.
  const schedule = await create({
    template_id,
    workflow_id: null,
    task_params: { message: 'Why' },
  });
  const body = { workflow_id: workflow.id, cron_format: '@daily' };
  await app.admin.call(schedules.update, { params: of(schedule), body });
  expect(await app.admin.call(schedules.one, { params: of(schedule) })).toMatchObject({
    template_id: null,
    workflow_id: workflow.id,
    task_params: null,
  });
});

test('a schedule with a repository starts its workflow for new commits only', async () => {
  const { app, f, create, fires, at, runs } = await start({ 'play.yml': '[]' });
  const one = { ...f.params, repository_id: f.seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params: one });
  const schedule = await create({ repository_id: f.seed.repositoryId });
  await at('10:01:01');
  const [run] = await runs();
  if (!run) throw new Error('there is no run');
  await f.end(run, 'build', 'success');
  await at('10:02:01');
  const commit = await commitFiles(path, { 'new.txt': 'new' });
  await at('10:03:01');
  expect(shown(await fires(schedule))).toEqual([
    ['10:01', 'started'],
    ['10:02', 'no_new_commits'],
    ['10:03', 'started'],
  ]);
  expect(await git(path, 'rev-parse', 'HEAD')).toBe(commit);
  expect((await fires(schedule)).at(-1)?.commit_hash).toBe(commit);
});
