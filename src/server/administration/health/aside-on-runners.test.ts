import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { system, type SystemFigures } from '#shared/api/system.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { remoteRunner } from '../../../../test/helpers/remote-runner.ts';
import { enteredRunner } from '../../../../test/helpers/runner-caller.ts';
import { until } from '../../../../test/helpers/until.ts';
import { createAsideFolder } from '../../../node/data-folder/set-aside.ts';

type RunnerFigures = SystemFigures['runners'][number];

async function runnerNamed({ admin }: TestApp, name: string): Promise<RunnerFigures | undefined> {
  const { runners } = await admin.call(system.figures, {});
  return runners.find((one) => one.name === name);
}

test('administrators see what a remote runner has set aside on its machine', async () => {
  const app = await testApp({ runner: true, config: { role: 'web' } });
  const remote = await remoteRunner(app.admin, await app.listen());
  const seen = () => runnerNamed(app, 'Far away');
  expect(await until(async () => (await seen())?.set_aside?.count === 0)).toBe(true);
  await remote.close();
  const note = { kind: 'terraform', label: 'project-8-template-9', why: '' };
  await createAsideFolder({ dataDir: remote.dataDir }, note);
  await createAsideFolder({ dataDir: remote.dataDir }, { ...note, kind: 'known-hosts' });
  await remote.again();
  expect(await until(async () => (await seen())?.set_aside?.count === 2)).toBe(true);
  expect((await seen())?.set_aside).toEqual({
    count: 2,
    newest: expect.stringMatching(/Z$/),
    folder: join(remote.dataDir, 'set-aside'),
  });
  // That of the server itself is counted apart.
  expect((await app.admin.call(system.figures, {})).set_aside.count).toBe(0);
});

test('a runner of an earlier version, which does not tell what it has set aside, works on', async () => {
  const app = await testApp();
  const caller = await enteredRunner(app);
  const traits = { node: 'v24.0.0', git: 'git version 2.50.1', memory_bytes: 1_000_000 };
  const body = {
    version: '1',
    max_parallel_tasks: 1,
    session: 'one',
    is_new: true,
    load: 0,
    held: [],
    is_leaving: false,
    wait: 0,
    traits,
  };
  const { status } = await caller.ask(runnerApiEndpoints.poll, { body });
  expect(status).toBe(200);
  expect(await runnerNamed(app, 'Entered')).toMatchObject({ node: 'v24.0.0', set_aside: null });
});
