// Slow: servers are killed again and again while runs of a workflow go on.
// However often a server is killed, no step of a run of a workflow is lost, doubled or left waiting.

import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { runSeed, randomNumber } from './helpers/random.ts';
import { folder, gitRepository, seedProject } from './helpers/seed.ts';
import { startServer } from './helpers/server.ts';
import { until } from './helpers/until.ts';
import { edgesOf } from './helpers/workflows.ts';

const runs = 20;
const kills = 4;

// Seven nodes: two paths that meet, a failure that is foreseen, a wait, and what runs in any case.
const edges = 'a>b a>c b>d c>d d!e e>w w*z';

test('runs of a workflow come to their end through kills of the server', async () => {
  const random = randomNumber(runSeed);
  const notes = join(await folder(), 'notes');
  await writeFile(notes, '');
  const env = { SIGNALBOX_LOCAL_REPOSITORIES: '/', SIGNALBOX_MAX_PARALLEL_TASKS: '8' };
  let server = await startServer({ env });
  onTestFinished(() => server.stop());
  const owner = await remoteCaller(server.address, 'admin', server.password);
  const seed = await seedProject(owner, null);
  const params = { project_id: seed.projectId };
  const note = (key: string) => `echo "$run ${key}" >> ${notes}\n`;
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'e', 'z']
      .map((key) => [`${key}.sh`, note(key)] as const)
      .concat([['d.sh', `${note('d')}exit 3\n`]]),
  );
  const body = { name: 'Steps', git_url: await gitRepository(files), git_branch: 'main' };
  const code = await owner.call(repositories.create, {
    params,
    body: { ...body, ssh_key_id: seed.keyId },
  });
  const survey = [{ name: 'run', title: 'Run', required: true }];
  const nodes = [];
  for (const key of 'abcdez') {
    const { id } = await seed.template({
      name: `Step ${key}`,
      app: 'bash',
      playbook: `${key}.sh`,
      repository_id: code.id,
      allow_parallel_tasks: true,
      survey_vars: survey,
      inventory_id: null,
      environment_id: null,
    });
    nodes.push({ type: 'template' as const, key, name: key, template_id: id });
  }
  const wait = { type: 'wait' as const, key: 'w', name: 'w', seconds: 1 };
  const ids: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const own = nodes.map((node) => ({
      ...node,
      params: { environment: JSON.stringify({ run: `run${index}` }) },
    }));
    const graph = { nodes: [...own, wait], edges: edgesOf(edges) };
    const made = await owner.call(workflows.create, {
      params,
      body: { name: `Workflow ${index}`, graph },
    });
    const which = { params: { ...params, workflow_id: made.id }, body: {} };
    ids.push((await owner.call(workflows.launch, which)).id);
  }
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(300 + random() * 1500);
    await server.end('SIGKILL');
    server = await startServer({ env, dataDir: server.dataDir });
  }
  const again = await remoteCaller(server.address, 'admin', server.password);
  for (const run_id of ids) {
    const one = () => again.call(workflowRuns.one, { params: { ...params, run_id } });
    const run = await until(async () => {
      const now = await one();
      return now.end !== null && now;
    }, 120);
    expect([run.id, run.status]).toEqual([run.id, 'success']);
    const states = run.nodes.map(({ key, state }) => `${key} ${state}`);
    expect(states.toSorted()).toEqual(
      ['a', 'b', 'c', 'e', 'w', 'z']
        .map((key) => `${key} success`)
        .concat('d failure')
        .toSorted(),
    );
  }
  const all = await again.call(tasks.list, { params, query: { limit: 1000 } });
  expect(all.length).toBe(runs * 6);
  // Each program ran once.
  const lines = (await readFile(notes, 'utf8')).trim().split('\n');
  expect(new Set(lines).size).toBe(runs * 6);
  expect(lines.length).toBe(runs * 6);
}, 300_000);
