// Slow: every app runs on a whole server, and everything that it leaves is searched.
// Plants a secret of every kind, runs every app with the secrets, and searches everywhere where
// somebody could find one, while the programs run and afterwards.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installationRoles, projectRoles } from '#shared/api/roles.ts';
import { pathOf } from '#shared/api/path.ts';
import { backups } from '#shared/api/backups.ts';
import { endpoints } from '#shared/api/index.ts';
import { groupRules, newGroupRule } from '#shared/api/identity.ts';
import { projectRunners } from '#shared/api/runners.ts';
import {
  executionEnvironments,
  installationEnvironments,
} from '#shared/api/execution-environments.ts';
import { schedules } from '#shared/api/schedules.ts';
import { projects } from '#shared/api/projects.ts';
import type { Task } from '#shared/api/tasks.ts';
import { users } from '#shared/api/users.ts';
import { views } from '#shared/api/views.ts';
import { workflows } from '#shared/api/workflows.ts';
import { plantGrant } from '../helpers/every-id.ts';
import { untilTried } from '../helpers/alerts.ts';
import type { Caller } from '../helpers/app.ts';
import {
  findCanaries,
  newCanary,
  place,
  readAsAnother,
  readFolder,
  readProcesses,
  type SearchedBytes,
} from '../helpers/canaries.ts';
import { plantFields, watchFields } from '../helpers/canary-fields.ts';
import { plantCanaries, type CanaryProject } from '../helpers/canary-project.ts';
import { plantWebhook } from '../helpers/canary-webhook.ts';
import { connect } from '../helpers/live.ts';
import { remoteCaller } from '../helpers/remote-caller.ts';
import { folder } from '../helpers/seed.ts';
import { settingsOf, startServer, type TestServer } from '../helpers/server.ts';
import { readStored } from '../helpers/stored.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

const open = ['/tmp', '/dev/shm', tmpdir()];

async function serve(): Promise<{ server: TestServer; secrets: Record<string, string> }> {
  const secrets = {
    'administrator password': newCanary(),
    'master key': randomBytes(32).toString('base64'),
    'mail password': newCanary(),
    'bot token': `4711:${randomBytes(18).toString('hex')}`,
  };
  const server = await startServer({
    env: {
      SIGNALBOX_LOCAL_REPOSITORIES: '/',
      SIGNALBOX_LOG_LEVEL: 'debug',
      SIGNALBOX_ADMIN_PASSWORD: secrets['administrator password'],
      SIGNALBOX_MASTER_KEY: secrets['master key'],
      // No server listens there.
      SIGNALBOX_SMTP_URL: `smtp://robot:${encodeURIComponent(secrets['mail password'])}@127.0.0.1:1`,
      SIGNALBOX_TELEGRAM_TOKEN: secrets['bot token'],
      SIGNALBOX_TELEGRAM_API: 'http://127.0.0.1:1',
      SIGNALBOX_HTTP_REPOSITORIES: 'on',
      SIGNALBOX_ALERT_ADDRESSES: '127.0.0.1',
    },
  });
  onTestFinished(server.stop);
  return { server, secrets };
}

/** Queries that some endpoints need; the search answers every line with a certain letter. */
const queries: Record<string, string> = {
  'tasks.lines': '?from=1&limit=1000',
  'tasks.search': '?q=e&limit=1000',
};

/** Endpoints that do not answer 200: no provider is set up, and the tasks have ended. */
const statuses: Record<string, number> = {
  'identity.begin': 302,
  'identity.complete': 302,
  'webhooks.receiveEmpty': 204,
  'activeTasks.one': 404,
};

/** The answers of the API to every question that an owner can ask. */
async function answersOf(
  address: string,
  caller: Caller,
  {
    seed,
    templates,
    alertChannelId,
    hostConfigId,
    hook,
  }: CanaryProject & { hook: Record<string, unknown> },
  tasks: Task[],
): Promise<SearchedBytes[]> {
  const inProject = { project_id: seed.projectId };
  const { id: me } = await caller.call(users.current, {});
  const [workflow] = await caller.call(workflows.list, { params: inProject });
  const ids: Record<string, unknown> = {
    ...inProject,
    workflow_id: workflow?.id,
    run_id: workflow?.last_run?.id,
    ...hook,
    key_id: seed.keyId + 1,
    repository_id: seed.repositoryId + 1,
    inventory_id: seed.inventoryId + 1,
    environment_id: seed.environmentId + 1,
    app_id: 'bash',
    host: 'localhost',
    runner_id: (
      await caller.call(projectRunners.create, { params: inProject, body: { name: 'Canaries' } })
    ).id,
    rule_id: (
      await caller.call(groupRules.create, {
        body: newGroupRule.parse({ source: 'any', claim: 'x', pattern: 'x', administrator: true }),
      })
    ).id,
    alert_channel_id: alertChannelId,
    host_config_id: hostConfigId,
    user_id: me,
    schedule_id: (
      await caller.call(schedules.create, {
        params: inProject,
        body: { template_id: templates[0]?.id ?? 0, cron_format: '@yearly' },
      })
    ).id,
    execution_environment_id: (
      await caller.call(executionEnvironments.create, {
        params: inProject,
        body: { name: 'Canaries', kind: 'server' },
      })
    ).id,
    installation_environment_id: (
      await caller.call(installationEnvironments.create, {
        body: { name: 'Canaries', kind: 'server' },
      })
    ).id,
    role_id: (
      await caller.call(projectRoles.create, {
        params: inProject,
        body: { name: 'Canaries', rights: [] },
      })
    ).id,
    object_type: 'template',
    object_id: templates[0]?.id ?? 0,
    grant_id: await plantGrant(caller, seed.projectId, templates[0]?.id ?? 0, me),
    installation_role_id: (
      await caller.call(installationRoles.create, { body: { name: 'Canary keepers', rights: [] } })
    ).id,
    view_id: (await caller.call(views.create, { params: inProject, body: { title: 'Canaries' } }))
      .id,
  };
  const places: SearchedBytes[] = [];
  // The addresses of integrations are shown to those who may change them.
  const reads = endpoints.filter(
    ({ name, endpoint }) =>
      endpoint.method === 'GET' && !name.startsWith('aliases.') && name !== 'backups.read',
  );
  for (const { id, template_id } of tasks) {
    for (const { name, endpoint } of reads) {
      const all = { ...ids, task_id: id, template_id, provider_id: 'none' };
      const path = pathOf(endpoint, { params: all });
      const answer = await fetch(`${address}${path}${queries[name] ?? ''}`, {
        headers: { cookie: caller.cookie },
        // The answer of the console depends on whether the console has been built.
        redirect: 'manual',
      });
      expect([name, answer.status]).toEqual([name, statuses[name] ?? 200]);
      const text = `${answer.headers.get('location') ?? ''}${await answer.text()}`;
      places.push(place(`the answer of ${name}`, text));
    }
  }
  expect(templates).toHaveLength(tasks.length);
  return places;
}

/** Raises alerts through all channels, also those of the server, and keeps the home folder of runs. */
async function alertAndKeep(owner: Caller, projectId: number): Promise<void> {
  await owner.call(projects.update, {
    params: { project_id: projectId },
    body: { name: 'Canaries', alert: true, alert_chat: '-100', keep_home: true },
  });
}

const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

test('no secret of any kind can be found while tasks of all apps run, nor afterwards', async () => {
  const since = Date.now() - 1000;
  const { server, secrets } = await serve();
  const { address, dataDir } = server;
  const { SIGNALBOX_DATABASE_URL: databaseUrl = null } = await settingsOf(dataDir);
  if (databaseUrl) secrets['database password'] = passwordOf(databaseUrl);
  const ownPassword = secrets['administrator password'] ?? '';
  const fields = watchFields();
  const owner = await remoteCaller(address, 'admin', ownPassword, fields.note);
  const project = await plantCanaries(owner);
  const { seed, templates, canaries, receiver, gate } = project;
  const hook = await plantWebhook(owner, address, seed.projectId, canaries);
  await plantFields(owner, seed.projectId, canaries, ownPassword);
  expect(fields.without({ ...canaries, ownPassword })).toEqual(['tasks.start body.secret']);
  await alertAndKeep(owner, seed.projectId);
  const [, session = ''] = /signalbox=([^;]+)/.exec(owner.cookie) ?? [];
  expect(session.length).toBeGreaterThan(20);
  const all = { ...secrets, ...canaries, session };
  const look = (places: SearchedBytes[]): string[] => findCanaries(all, places);

  const old = await connect(address, { cookie: owner.cookie });
  const live = await connect(address, { cookie: owner.cookie });
  live.send({ type: 'subscribe', topic: 'project', project_id: seed.projectId });
  const tasks: Task[] = [];
  for (const template of templates) {
    const task = await launch(owner, seed.projectId, {
      template_id: template.id,
      debug: true,
      secret: JSON.stringify({ token: canaries['secret answer'] }),
    });
    live.send({
      type: 'subscribe',
      topic: 'task_log',
      project_id: seed.projectId,
      task_id: task.id,
      after: 0,
    });
    tasks.push(task);
  }
  // By now every field that is marked as secret contains a canary.
  expect(fields.without({ ...canaries, ownPassword })).toEqual([]);

  // The search takes place in the middle of the runs.
  await until(async () => (await readdir(gate)).length === templates.length, 120).catch(
    async (error: unknown) => {
      const texts = await Promise.all(tasks.map((task) => logText(owner, task)));
      throw new Error(texts.join('\n\n'), { cause: error });
    },
  );
  expect(look([readAsAnother([...open, dataDir], since)])).toEqual([]);
  expect(look(await readProcesses('cmdline'))).toEqual([]);
  await writeFile(join(gate, 'open'), '');

  const logs: string[] = [];
  for (const task of tasks) {
    const { status } = await untilFinished(owner, task, 60);
    const log = await logText(owner, task);
    expect([status, log]).toEqual(['success', log]);
    expect(log).toMatch(
      new RegExp(`token of ${canaries['secret answer']?.length}|Apply complete!`),
    );
    expect(log).toContain('********');
    logs.push(log);
  }
  expect(await until(async () => (await readdir(join(dataDir, 'runs'))).length === 0)).toBe(true);
  expect(look(logs.map((log, index) => place(`log ${index}`, log)))).toEqual([]);
  const alerts = await untilTried(owner, seed.projectId, { alerts: tasks.length * 2 });
  expect(look([place('the alerts', alerts)])).toEqual([]);
  expect(findCanaries(canaries, [place('what is received', receiver.received)])).toEqual([
    'alert address URL-encoded in what is received',
    'alert token JSON-escaped in what is received',
  ]);
  const backup = await owner.call(backups.read, { params: { project_id: seed.projectId } });
  expect(look([place('the backup', backup)])).toEqual([
    'alias of the webhook as it is in the backup',
    'alias of the webhook URL-encoded in the backup',
    'alias of the webhook as part of an URL in the backup',
    'alias of the webhook JSON-escaped in the backup',
  ]);
  expect(look(await answersOf(address, owner, { ...project, hook }, tasks))).toEqual([]);
  for (const { messages } of [old, live]) {
    expect(messages.length).toBeGreaterThan(tasks.length);
    expect(look([place('live messages', messages)])).toEqual([]);
  }
  expect(look([place('what the server has printed', server.printed())])).toEqual([]);
  expect(server.printed()).toContain('is ready');
  const left: SearchedBytes[] = [...(await readFolder(dataDir, 0))];
  const home = join(dataDir, 'homes', String(seed.projectId));
  expect(left.map(({ name }) => name)).toContain(join(home, 'kept-by-bash'));
  left.push(...(await readStored({ dataDir, databaseUrl })));
  expect(left.map(({ name }) => name)).toContain('table keys');
  for (const one of new Set(open)) left.push(...(await readFolder(one, since)));
  expect(look(left)).toEqual([]);
  const processes = await readProcesses('cmdline');
  processes.push(...(await readProcesses('environ', server.child.pid)));
  expect(look(processes)).toEqual([]);
}, 300_000);

test('the search finds what is not hidden', async () => {
  const since = Date.now() - 1000;
  const canaries = { 'the canary': newCanary() };
  const canary = canaries['the canary'];
  const found = (places: SearchedBytes[]): string[] => findCanaries(canaries, places);
  const program = spawn('sh', ['-c', 'read line', canary], { env: { SECRET: canary } });
  onTestFinished(() => void program.kill('SIGKILL'));
  await until(async () => found(await readProcesses('cmdline')).length > 0);
  expect(found([readAsAnother([], since)])).toEqual([
    'the canary as it is in what others can read',
  ]);
  expect(found(await readProcesses('environ'))[0]).toBe(
    `the canary as it is in /proc/${program.pid}/environ`,
  );
  program.kill('SIGKILL');
  await until(async () => found(await readProcesses('cmdline')).length === 0);

  const at = await folder();
  await chmod(at, 0o755);
  const file = join(at, 'file');
  const forms = [canary, Buffer.from(`${canary}\n`).toString('base64'), encodeURIComponent(canary)];
  for (const form of forms) {
    await writeFile(file, `before ${form} after`);
    expect(found([readAsAnother([at], since)])).toHaveLength(1);
    expect(found(await readFolder(at, since))).toHaveLength(1);
  }
  // Other users do not find what they may not read.
  await chmod(file, 0o600);
  expect(found([readAsAnother([at], since)])).toEqual([]);
  await rm(file);
  expect(found([place('an answer', { secret: canary })])).toHaveLength(1);
});
