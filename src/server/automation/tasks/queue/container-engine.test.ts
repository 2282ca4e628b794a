// Tasks in containers run only on runners that have podman or docker, and tasks in pods on those of Kubernetes.

import { expect, test } from 'vitest';
import type { CallOf } from '#shared/api/endpoint.ts';
import {
  executionEnvironments,
  installationEnvironments,
  type ExecutionKind,
} from '#shared/api/execution-environments.ts';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { runners } from '#shared/api/runners.ts';
import type { Task } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { enteredRunner } from '../../../../../test/helpers/runner-caller.ts';
import { addRunner, round, waitingFor } from '../../../../../test/helpers/runners.ts';
import { seedProject, type Seed } from '../../../../../test/helpers/seed.ts';
import { launch } from '../../../../../test/helpers/tasks.ts';
import { recordOwnEngine } from '../../../runners/container-engines.ts';
import { updateRunnerEngine } from '../../../runners/runners.store.ts';

/** Templates of all kinds, whose tasks may run at the same time. */
async function start(app: TestApp) {
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const ids = new Map<ExecutionKind, number>();
  const addKind = async (kind: 'tools' | 'container' | 'pod') => {
    const body = { name: kind, kind, image: 'tools:1', packages: ['ansible-core'] };
    ids.set(kind, (await app.admin.call(executionEnvironments.create, { params, body })).id);
  };
  await addKind('container');
  return {
    seed,
    params,
    addKind,
    list: () => app.admin.call(executionEnvironments.list, { params }),
    launchOf: (kind: ExecutionKind, fields: object = {}) =>
      launchOne(app, seed, { execution_environment_id: ids.get(kind) ?? null, ...fields }),
  };
}

let templates = 0;

async function launchOne(app: TestApp, seed: Seed, fields: object) {
  templates += 1;
  const name = `Template ${templates}`;
  const { id } = await seed.template({ name, allow_parallel_tasks: true, ...fields });
  return launch(app.admin, seed.projectId, { template_id: id });
}

test('a task in a container waits for a runner with an engine, and delays no others', async () => {
  const app = await testApp({ config: { role: 'web' } });
  const { launchOf, list } = await start(app);
  const plain = await addRunner(app, [], 3);
  const waiting = [await launchOf('container'), await launchOf('container')];
  const other = await launchOf('server');
  expect(await round(app)).toEqual([[other.id, plain]]);
  const [first] = waiting;
  if (!first) return;
  expect(await waitingFor(app, first)).toEqual(['container_engine', null, null]);
  expect((await list()).map((one) => one.unavailable)).toEqual(['no_container_engine']);
  await updateRunnerEngine(app.ctx.db, plain, 'podman 4.3.1');
  expect(await waitingFor(app, first)).toBeNull();
  expect((await list()).map((one) => one.unavailable)).toEqual([null]);
  expect(await round(app)).toEqual(waiting.map(({ id }) => [id, plain]));
});

test('a full runner with an engine is not taken for a runner without one', async () => {
  const app = await testApp({ config: { role: 'web' } });
  const { launchOf } = await start(app);
  const engine = await addRunner(app, [], 1);
  await updateRunnerEngine(app.ctx.db, engine, 'docker 27.1');
  const plain = await addRunner(app, [], 2);
  const [first, second] = [await launchOf('container'), await launchOf('container')];
  const other = await launchOf('server');
  expect(await round(app)).toEqual([
    [first.id, engine],
    [other.id, plain],
  ]);
  // Both runners may run it as far as its tags go, but only one has an engine.
  expect(await waitingFor(app, second)).toEqual(['server', null, 1]);
});

test('a runner of Kubernetes takes tasks in pods and no others', async () => {
  const app = await testApp({ config: { role: 'web' } });
  const { addKind, launchOf, list } = await start(app);
  await addKind('pod');
  await addKind('tools');
  const plain = await addRunner(app, [], 4);
  const first = await launchOf('pod');
  expect(await round(app)).toEqual([]);
  expect(await waitingFor(app, first)).toEqual(['kubernetes_runner', null, null]);
  const reasons = async () =>
    new Map((await list()).map(({ kind, unavailable }) => [kind, unavailable]));
  expect((await reasons()).get('pod')).toBe('no_kubernetes_runner');
  const cluster = await addRunner(app, [], 5);
  await updateRunnerEngine(app.ctx.db, cluster, 'kubernetes 1.37.2');
  expect(await waitingFor(app, first)).toBeNull();
  expect(await reasons()).toEqual(
    new Map([
      ['container', 'no_container_engine'],
      ['pod', null],
      ['tools', null],
    ]),
  );
  await updateRunnerEngine(app.ctx.db, plain, 'podman 5.4.2');
  const kinds = ['server', 'container', 'tools', 'pod'] as const;
  const others: Task[] = [];
  for (const kind of kinds) others.push(await launchOf(kind));
  expect(await round(app)).toEqual([
    [first.id, cluster],
    ...others.map(({ id, execution_kind: kind }) => [id, kind === 'pod' ? cluster : plain]),
  ]);
});

test('with runners of Kubernetes only, other tasks wait and delay no pods', async () => {
  const app = await testApp({ config: { role: 'web' } });
  const { addKind, launchOf } = await start(app);
  await addKind('pod');
  await addKind('tools');
  const cluster = await addRunner(app, [], 2);
  await updateRunnerEngine(app.ctx.db, cluster, 'kubernetes 1.37.2');
  const [server, tools] = [await launchOf('server'), await launchOf('tools')];
  const container = await launchOf('container');
  const tagged = await launchOf('server', { runner_tags: ['dmz'] });
  const pods = [await launchOf('pod'), await launchOf('pod')];
  expect(await round(app)).toEqual(pods.map(({ id }) => [id, cluster]));
  const next = await launchOf('pod');
  const waiting = [server, tools, container, tagged, next];
  expect(await Promise.all(waiting.map((task) => waitingFor(app, task)))).toEqual([
    ['runner', null, null],
    ['runner', null, null],
    ['container_engine', null, null],
    ['runner', ['dmz'], null],
    ['server', null, 2],
  ]);
});

test('a task whose tags no free runner of its kind has delays none of another kind', async () => {
  const app = await testApp({ config: { role: 'web' } });
  const { addKind, launchOf } = await start(app);
  await addKind('pod');
  const plain = await addRunner(app, ['dmz'], 1);
  const cluster = await addRunner(app, [], 10);
  await updateRunnerEngine(app.ctx.db, cluster, 'kubernetes 1.37.2');
  // More than a page.
  for (let count = 0; count < 30; count += 1) await launchOf('server');
  const pod = await launchOf('pod');
  const tagged = await launchOf('server', { runner_tags: ['dmz'] });
  expect(await round(app)).toEqual([
    [pod.id, cluster],
    [tagged.id, plain],
  ]);
});

test('the runner beside the server tells its engine with its polls', async () => {
  const app = await testApp();
  const heard: unknown[] = [];
  const end = app.ctx.hub.subscribe('queue.changed', (event) => heard.push(event));
  await recordOwnEngine(app.ctx, null, 'podman 5.4.2');
  await recordOwnEngine(app.ctx, null, 'podman 5.4.2');
  end();
  expect(heard).toHaveLength(1);
  const body = { name: 'Image', kind: 'container' as const, image: 'tools:1' };
  const made = await app.admin.call(installationEnvironments.create, { body });
  const own = (await app.admin.call(runners.list, {})).find(({ remote }) => !remote);
  // With a shared database, the servers have rows.
  expect([made.unavailable, own?.container_engine ?? 'no row']).toBeOneOf([
    [null, 'podman 5.4.2'],
    ['no_container_engine', 'no row'],
  ]);
});

test('a remote runner stores its engine, also one that is gone', async () => {
  const app = await testApp();
  const caller = await enteredRunner(app);
  const poll = async (container_engine?: string) => {
    const traits = { node: 'v24.0.0', git: 'git version 2.50.1', memory_bytes: 1_000_000 };
    const body: CallOf<typeof runnerApiEndpoints.poll>['body'] = {
      version: '1',
      max_parallel_tasks: 1,
      session: 'one',
      is_new: true,
      load: 0,
      held: [],
      is_leaving: false,
      wait: 0,
      traits: { ...traits, container_engine },
    };
    await caller.call(runnerApiEndpoints.poll, { body });
    const list = await app.admin.call(runners.list, {});
    return list.find(({ remote }) => remote)?.container_engine;
  };
  expect(await poll()).toBe('');
  expect(await poll('podman 4.3.1')).toBe('podman 4.3.1');
  expect(await poll('')).toBe('');
});
