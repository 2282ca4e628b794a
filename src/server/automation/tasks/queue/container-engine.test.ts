// Tasks in containers run only on runners that have podman or docker.

import { expect, test } from 'vitest';
import type { CallOf } from '#shared/api/endpoint.ts';
import {
  executionEnvironments,
  installationEnvironments,
} from '#shared/api/execution-environments.ts';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { runners } from '#shared/api/runners.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { enteredRunner } from '../../../../../test/helpers/runner-caller.ts';
import { addRunner, round, waitingFor } from '../../../../../test/helpers/runners.ts';
import { seedProject, type Seed } from '../../../../../test/helpers/seed.ts';
import { launch } from '../../../../../test/helpers/tasks.ts';
import { recordOwnEngine } from '../../../runners/container-engines.ts';
import { updateRunnerEngine } from '../../../runners/runners.store.ts';

/** Templates of both kinds, whose tasks may run at the same time. */
async function start(app: TestApp) {
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const body = { name: 'Image', kind: 'container' as const, image: 'tools:1' };
  const { id } = await app.admin.call(executionEnvironments.create, { params, body });
  const inContainer = { execution_environment_id: id };
  return {
    seed,
    params,
    list: () => app.admin.call(executionEnvironments.list, { params }),
    launchOf: (container: boolean) => launchOne(app, seed, container ? inContainer : {}),
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
  const waiting = [await launchOf(true), await launchOf(true)];
  const other = await launchOf(false);
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
  const [first, second] = [await launchOf(true), await launchOf(true)];
  const other = await launchOf(false);
  expect(await round(app)).toEqual([
    [first.id, engine],
    [other.id, plain],
  ]);
  // Both runners may run it as far as its tags go, but only one has an engine.
  expect(await waitingFor(app, second)).toEqual(['server', null, 1]);
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
