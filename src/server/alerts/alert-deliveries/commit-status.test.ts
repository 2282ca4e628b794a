// Release on PostgreSQL: it is about the conversation with a host.
// Commit statuses: what a host receives, in which order, and what becomes of its answers.

import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import type { StatusHost } from '#shared/git/repository-url.ts';
import { alertConfig, listAlerts, untilTried } from '../../../../test/helpers/alerts.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { startReceiver } from '../../../../test/helpers/receiver.ts';
import { hostResults } from '../../../../test/helpers/host-results.ts';
import { claimNext, launch } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { updateFailures, upsertHosts } from '../../automation/tasks/results/task-hosts.store.ts';
import { recordCommit } from '../../automation/tasks/runs/runner-tasks.ts';
import { endTask, moveTask } from '../../automation/tasks/move-task.ts';

const token = 'canary-status-token';
const commit = 'c0ffee'.repeat(7).slice(0, 40);

async function start(status_host: StatusHost | '' = 'gitea', allowed = ['127.0.0.1']) {
  const config = { ...alertConfig({ allowed }), httpRepositories: true };
  const { app, seed, params } = await appWithProject(null, { config });
  const host = await startReceiver();
  const login_password = { login: 'bot', password: token };
  const key = await app.admin.call(keys.create, {
    params,
    body: { name: 'Token', type: 'login_password', login_password },
  });
  const body = {
    name: 'Code',
    git_url: `${host.url}/team/code.git`,
    git_branch: 'main',
    ssh_key_id: seed.keyId,
    status_host,
    status_key_id: status_host === '' ? null : key.id,
  };
  const target = { ...params, repository_id: seed.repositoryId };
  const change = (fields: object) =>
    app.admin.ask(repositories.update, { params: target, body: { ...body, ...fields } });
  expect((await change({})).status).toBe(204);
  const template = await seed.template({ name: 'Deploy' });
  const begin = async () => {
    const { id, project_id } = await launch(app.admin, seed.projectId, {
      template_id: template.id,
    });
    const task = await claimNext(app.ctx);
    if (task?.id !== id) throw new Error(`task ${task?.id} is due and not ${id}`);
    await moveTask(app.ctx, { id, project_id }, 'running');
    await recordCommit(app.ctx, task, { hash: commit, message: 'Change' });
    return { id, project_id };
  };
  const end = (task: { id: number; project_id: number }, to: 'success' | 'error' | 'stopped') =>
    endTask(app.ctx, task, to);
  return { app, seed, host, key, change, template, begin, end };
}

type Sent = { path: string; body: string; headers: Record<string, unknown> };
const read = ({ path, body }: Sent) => ({ path, ...(JSON.parse(body) as object) });

const hosts: [host: StatusHost, path: string, words: [string, string, string], auth: object][] = [
  [
    'github',
    `/api/v3/repos/team/code/statuses/${commit}`,
    ['pending', 'success', 'failure'],
    { authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' },
  ],
  [
    'gitlab',
    `/api/v4/projects/team%2Fcode/statuses/${commit}`,
    ['pending', 'success', 'failed'],
    { 'private-token': token },
  ],
  [
    'gitea',
    `/api/v1/repos/team/code/statuses/${commit}`,
    ['pending', 'success', 'failure'],
    { authorization: `token ${token}` },
  ],
];

test.each(hosts)('%s shows how a task goes on', async (kind, path, [pending, good, bad], auth) => {
  const { app, seed, host, template, begin, end } = await start(kind);
  const named = kind === 'gitlab' ? { name: 'Deploy' } : { context: 'Deploy' };
  const expected = (id: number, state: string, words: string) => ({
    path,
    ...named,
    state,
    description: `Task #${id} of "Deploy" ${words}`,
    target_url: `https://signalbox.example/project/${seed.projectId}/templates/${template.id}?t=${id}`,
  });
  const one = await begin();
  await until(() => host.received.length === 1);
  expect(host.received.map(read)).toEqual([expected(one.id, pending, 'has started')]);
  await end(one, 'success');
  await until(() => host.received.length === 2);
  expect(read(host.received[1] as Sent)).toEqual(expected(one.id, good, 'succeeded'));
  const two = await begin();
  await until(() => host.received.length === 3);
  await end(two, 'error');
  await until(() => host.received.length === 4);
  expect(read(host.received[3] as Sent)).toEqual(expected(two.id, bad, 'failed'));
  expect(host.received[0]?.headers).toMatchObject({ ...auth, 'user-agent': 'Signalbox' });
  expect(host.received[0]?.method).toBe('POST');
  const list = await untilTried(app.admin, seed.projectId, { alerts: 4 });
  expect(
    list.map(({ event, recipient, repository_name: name, status }) => [
      event,
      recipient,
      name,
      status,
    ]),
  ).toEqual([
    ['started', 'repository', 'Code', 'sent'],
    ['succeeded', 'repository', 'Code', 'sent'],
    ['started', 'repository', 'Code', 'sent'],
    ['failed', 'repository', 'Code', 'sent'],
  ]);
  expect(JSON.stringify(list)).not.toContain(token);
});

test('a host that was away gets the last state last', async () => {
  const { app, seed, host, begin, end } = await start();
  host.answer((response) => response.writeHead(502).end());
  const task = await begin();
  await untilTried(app.admin, seed.projectId);
  await end(task, 'error');
  // The final state waits for the one before it.
  const waiting = await listAlerts(app.admin, seed.projectId);
  expect(waiting.map(({ event, attempts }) => [event, attempts])).toEqual([
    ['started', 1],
    ['failed', 0],
  ]);
  host.answer((response) => response.writeHead(201).end('{}'));
  app.clock.advance(61_000);
  app.ctx.hub.publish('alert.added', {});
  const done = await until(async () => {
    const list = await listAlerts(app.admin, seed.projectId);
    return list.every(({ status }) => status === 'sent') && list;
  });
  expect(done.map(({ attempts }) => attempts)).toEqual([2, 1]);
  const states = host.received.map(({ body }) => (JSON.parse(body) as { state: string }).state);
  // A late attempt tells the state of now.
  expect(states).toEqual(['pending', 'failure', 'failure']);
});

test.each([
  [401, 'status'],
  [302, 'redirect'],
])('an answer %i is final, and a redirect is not followed', async (code, error_code) => {
  const { app, seed, host, begin } = await start();
  host.answer((response) => response.writeHead(code, { location: '/elsewhere' }).end(token));
  await begin();
  const [tried] = await untilTried(app.admin, seed.projectId);
  expect(tried).toMatchObject({ status: 'failed', answer_status: code, error_code, attempts: 1 });
  expect(host.received).toHaveLength(1);
});

test('GitLab says so when a commit has the status already, which is no failure', async () => {
  const { app, seed, host, begin } = await start('gitlab');
  const message = 'Cannot transition status via :enqueue from :pending';
  host.answer((response) => response.writeHead(400).end(JSON.stringify({ message })));
  await begin();
  expect(await untilTried(app.admin, seed.projectId)).toMatchObject([{ status: 'sent' }]);
});

test('the token goes to no address inside the network that alerts may not reach', async () => {
  const { app, seed, host, begin } = await start('gitea', []);
  await begin();
  expect(await untilTried(app.admin, seed.projectId)).toMatchObject([
    { status: 'failed', error_code: 'refused_address' },
  ]);
  expect(host.received).toEqual([]);
});

test('nothing is sent without a host, before the commit is known, and once it is switched off', async () => {
  const off = await start('');
  await off.end(await off.begin(), 'success');
  expect(await listAlerts(off.app.admin, off.seed.projectId)).toEqual([]);
  const { app, seed, host, begin, end, template, change } = await start();
  const { id, project_id } = await launch(app.admin, seed.projectId, { template_id: template.id });
  await claimNext(app.ctx);
  await moveTask(app.ctx, { id, project_id }, 'running');
  await end({ id, project_id }, 'error');
  expect(await listAlerts(app.admin, seed.projectId)).toEqual([]);
  host.answer((response) => response.writeHead(500).end());
  await begin();
  await untilTried(app.admin, seed.projectId);
  await change({ status_host: '', status_key_id: null });
  app.clock.advance(61_000);
  app.ctx.hub.publish('alert.added', {});
  expect(await untilTried(app.admin, seed.projectId, { attempts: 2 })).toMatchObject([
    { status: 'failed', error_code: 'recipient_gone' },
  ]);
  expect(host.received).toHaveLength(1);
});

test('a host needs a token of the right kind and a repository with an owner', async () => {
  const { seed, change } = await start();
  const fieldsOf = async (fields: object) => {
    const { status, body } = await change(fields);
    return [status, body.fields?.map(({ path, code }) => [path, code])];
  };
  const none = { status_key_id: null };
  expect(await fieldsOf(none)).toEqual([
    400,
    [['status_key_id', 'repository.status_key_required']],
  ]);
  expect(await fieldsOf({ status_key_id: seed.keyId })).toEqual([
    400,
    [['status_key_id', 'integration.secret_type']],
  ]);
  expect(await fieldsOf({ status_key_id: 999 })).toEqual([
    400,
    [['status_key_id', 'field.reference']],
  ]);
  expect(await fieldsOf({ git_url: '/srv/team/code' })).toEqual([
    400,
    [['status_host', 'repository.status_url']],
  ]);
});

test('a client that does not know of hosts changes a repository without losing them', async () => {
  const { app, seed, change, key } = await start('github');
  await change({ name: 'Other', status_host: undefined, status_key_id: undefined });
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const kept = { name: 'Other', status_host: 'github', status_key_id: key.id };
  expect(await app.admin.call(repositories.one, { params })).toMatchObject(kept);
});

test('the status of a failed task names its first failure', async () => {
  const { app, host, begin, end } = await start();
  const { id, project_id } = await begin();
  await until(() => host.received.length === 1);
  const { lease } = await app.ctx.db
    .selectFrom('tasks')
    .select('lease')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const task = { id, project_id, lease };
  await upsertHosts(app.ctx.db, task, hostResults({ db1: 'failed' }));
  await updateFailures(app.ctx.db, task, [
    {
      state: 'failed',
      task: 'Ask',
      module: '',
      role: '',
      path: 'patch.yml',
      file_line: 23,
      message: 'The database\nis busy',
      result: 1,
      line: 3,
      hosts: ['db1'],
      host_count: 1,
    },
  ]);
  await end(task, 'error');
  await until(() => host.received.length === 2);
  expect(read(host.received[1] as Sent)).toMatchObject({
    description: `Task #${id} of "Deploy" failed: db1: The database is busy (Ask, patch.yml:23)`,
  });
});
