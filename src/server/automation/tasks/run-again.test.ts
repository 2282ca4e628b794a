import { expect, test } from 'vitest';
import { tasks, type HostChoice, type Task } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { apps } from '#shared/api/apps.ts';
import { type Caller } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { hostResults } from '../../../../test/helpers/host-results.ts';
import type { seedProject } from '../../../../test/helpers/seed.ts';
import { claimNext, launch, readTask } from '../../../../test/helpers/tasks.ts';
import { upsertHosts } from './results/task-hosts.store.ts';
import { recordCommit } from './runs/runner-tasks.ts';
import { endTask } from './move-task.ts';

type Fields = Parameters<Awaited<ReturnType<typeof seedProject>>['template']>[0];
type Body = Partial<Parameters<typeof launch>[2]>;

async function setUp(fields: Fields = {}, body: Body = {}) {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ allow_override_limit_in_task: true, ...fields });
  const first = await launch(app.admin, seed.projectId, { template_id: template.id, ...body });
  const claimed = await claim();
  async function claim(): Promise<RunnerTask> {
    const task = await claimNext(app.ctx);
    if (!task) throw new Error('There is nothing to claim');
    return task;
  }
  const params = { project_id: seed.projectId, task_id: first.id };
  const ask = (hosts: HostChoice, of = first.id, who: Caller = app.admin) =>
    who.ask(tasks.runAgain, { params: { ...params, task_id: of }, body: { hosts } });
  const again = (hosts: HostChoice, of = first.id): Promise<Task> =>
    app.admin.call(tasks.runAgain, { params: { ...params, task_id: of }, body: { hosts } });
  return { app, seed, template, first, claimed, claim, params, ask, again };
}

const farm = hostResults({
  web1: 'ok',
  web2: 'failed',
  web3: 'unreachable',
  db1: 'failed',
  db2: 'changed',
});

async function ended(fields: Fields = {}, body: Body = {}, hosts = farm) {
  const all = await setUp(fields, body);
  await recordCommit(all.app.ctx, all.claimed, { hash: 'ab'.repeat(20), message: 'Change' });
  await upsertHosts(all.app.ctx.db, all.claimed, hosts);
  await endTask(all.app.ctx, all.claimed, 'error');
  return all;
}

test('the same runs again, confined to the failed hosts within the limit', async () => {
  const launched = { limit: 'web,db', message: 'Nightly', dry_run: true, diff: true };
  const { app, first, claimed, claim, again } = await ended({}, launched);
  const next = await again('failed');
  expect(next).toMatchObject({
    status: 'waiting',
    rerun_of: first.id,
    retry_of: null,
    attempt: 1,
    only_hosts: { names: ['db1', 'web2'], count: 2 },
    ...launched,
    commit_hash: null,
    user_id: app.admin.userId,
  });
  const taken = await claim();
  expect(taken.id).toBe(next.id);
  expect(taken.snapshot).toEqual({
    ...claimed.snapshot,
    commit: 'ab'.repeat(20),
    limit: 'db1,web2,&~^(web|db)\\Z',
    narrowed: { limit: 'web,db', hosts: ['db1', 'web2'] },
  });
  expect((await readTask(app.admin, first)).only_hosts).toBeNull();
});

test.each([
  ['unreachable', ['web3']],
  ['failed_or_unreachable', ['db1', 'web2', 'web3']],
  [
    ['db2', 'web1', 'db2'],
    ['db2', 'web1'],
  ],
] as const)('%j', async (choice, names) => {
  const { again } = await ended();
  const { only_hosts: only } = await again(choice as HostChoice);
  expect(only).toEqual({ names, count: names.length });
});

test('what ran again is narrowed further, never widened', async () => {
  const { app, claim, again, ask } = await ended({ limit: 'web,db' });
  await again('failed');
  const second = await claim();
  const reported = hostResults({ web1: 'failed', web2: 'ok', db1: 'failed' });
  await upsertHosts(app.ctx.db, second, reported);
  await endTask(app.ctx, second, 'error');
  const third = await again('failed', second.id);
  expect(third.only_hosts).toEqual({ names: ['db1'], count: 1 });
  expect((await claim()).snapshot.limit).toBe('db1,&~^(web|db)\\Z');
  const refused = await ask(['web1'], second.id);
  expect([refused.status, refused.body.code]).toEqual([422, 'task.host_not_named']);
});

test('a limit among the arguments holds too', async () => {
  const { again, claim } = await ended({ arguments: '["-vl", "web:!web3"]' });
  await again(['web1', 'web3']);
  expect((await claim()).snapshot.limit).toBe('web1,web3,&web,!web3');
});

test('hosts that the task does not have are refused', async () => {
  const { ask, app, params } = await ended({}, {}, hostResults({ web1: 'ok', all: 'failed' }));
  const answers = [
    await ask('unreachable'),
    await ask(['web1', 'web9']),
    await ask('failed'),
    await ask([]),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [422, 'task.no_such_hosts'],
    [422, 'task.host_not_named'],
    [422, 'task.host_not_selectable'],
    [400, 'request.invalid'],
  ]);
  expect(answers[1]?.body.params).toEqual({ host: 'web9' });
  const list = await app.admin.call(tasks.list, { params: { project_id: params.project_id } });
  expect(list).toHaveLength(1);
});

test('a task that goes on is refused, and one of another app', async () => {
  const { ask, app, claimed } = await setUp();
  await upsertHosts(app.ctx.db, claimed, farm);
  const early = await ask('failed');
  expect([early.status, early.body.code]).toEqual([409, 'task.wrong_status']);
  const script = await setUp({ app: 'bash' });
  await endTask(script.app.ctx, script.claimed, 'error');
  const other = await script.ask('failed');
  expect([other.status, other.body.code]).toEqual([422, 'task.field_not_supported']);
});

test('secret answers are not kept, so a task that had some is refused', async () => {
  const survey_vars = [
    { name: 'word', title: 'Word', type: 'secret' as const, required: false },
    { name: 'count', title: 'Count', type: 'int' as const },
  ];
  const secret = '{"word":"canary-4711"}';
  const { ask } = await ended({ survey_vars }, { environment: '{"count":"3"}', secret });
  const refused = await ask('failed');
  expect([refused.status, refused.body.code]).toEqual([422, 'task.secrets_gone']);
  const without = await ended({ survey_vars }, { environment: '{"count":"3"}' });
  await without.again('failed');
  expect((await without.claim()).answers).toEqual({ count: 3 });
});

test('the rules of a launch apply', async () => {
  const { app, seed, template, ask } = await ended({}, { limit: 'web' });
  const guest = await app.member(seed.projectId, 'guest');
  expect((await ask('failed', undefined, guest)).status).toBe(403);
  const runner = await app.member(seed.projectId, 'task_runner');
  const allowed = await ask('failed', undefined, runner);
  expect([allowed.status, allowed.body]).toEqual([
    201,
    expect.objectContaining({ user_id: runner.userId }),
  ]);
  const place = { project_id: seed.projectId, template_id: template.id };
  const { last_task: _task, ...body } = await app.admin.call(templates.one, { params: place });
  const changed = { ...body, allow_override_limit_in_task: false };
  await app.admin.call(templates.update, { params: place, body: changed });
  const refused = await ask('failed');
  expect([refused.status, refused.body.code]).toEqual([422, 'task.field_not_allowed']);
  await app.admin.call(templates.update, { params: place, body });
  await app.admin.call(apps.switch, { params: { app_id: 'ansible' }, body: { active: false } });
  const inactive = await ask('failed');
  expect([inactive.status, inactive.body.code]).toEqual([409, 'template.app_inactive']);
});

test('a task outlives the one that it repeats', async () => {
  const { app, params, again } = await ended();
  const next = await again('failed');
  await app.admin.call(tasks.remove, { params });
  expect(await readTask(app.admin, next)).toMatchObject({
    rerun_of: null,
    only_hosts: { count: 2 },
  });
});

const retrying = { retries: 2, retry_delay_s: 1, retry_failed_hosts: true };

test('a retry runs only on the hosts that failed or were unreachable, if there are any', async () => {
  const { app, claim } = await ended({ ...retrying, limit: 'web:db' });
  app.clock.advance(10_000);
  const second = await claim();
  expect([second.attempt, second.snapshot.limit]).toEqual([2, 'db1,web2,web3,&~^(web|db)\\Z']);
  expect(second.snapshot.commit).toBe('ab'.repeat(20));
  const one = await app.admin.call(tasks.one, {
    params: { project_id: second.project_id, task_id: second.id },
  });
  expect(one.only_hosts).toEqual({ names: ['db1', 'web2', 'web3'], count: 3 });
  await upsertHosts(app.ctx.db, second, hostResults({ db1: 'ok', web2: 'ok', web3: 'ok' }));
  await endTask(app.ctx, second, 'error');
  app.clock.advance(100_000);
  const third = await claim();
  expect([third.attempt, third.snapshot.limit]).toEqual([3, second.snapshot.limit]);
});

test('a retry runs on all hosts if the template does not say otherwise, or no host has failed', async () => {
  const plain = await ended({ ...retrying, retry_failed_hosts: false, limit: 'web' });
  plain.app.clock.advance(10_000);
  expect((await plain.claim()).snapshot.limit).toBe('web');
  const none = await ended({ ...retrying, limit: 'web' }, {}, hostResults({ web1: 'ok' }));
  none.app.clock.advance(10_000);
  const second = await none.claim();
  expect([second.snapshot.limit, second.snapshot.narrowed]).toEqual(['web', undefined]);
});
