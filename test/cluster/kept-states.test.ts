// Only on PostgreSQL: several servers need a database that they can share.
// Slow: several whole servers are started.
// The states of Terraform that lie in the data folder of one of several servers.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { keptStates } from '#shared/api/kept-states.ts';
import { repositories } from '#shared/api/repositories.ts';
import type { Caller } from '../helpers/app.ts';
import { startCluster } from '../helpers/cluster.ts';
import { commitFiles, seedProject } from '../helpers/seed.ts';
import { launch, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';
import { standIn } from '../runner/terraform-project.ts';

/** A template whose state has been applied twice, so that there is a copy of it. */
async function applied(owner: Caller) {
  await owner.call(apps.update, { params: { app_id: 'terraform' }, body: { path: standIn } });
  const seed = await seedProject(owner, { 'infra/main.tf': '# input: one\n' });
  const template = await seed.template({
    app: 'terraform',
    playbook: 'infra',
    inventory_id: null,
    auto_approve: true,
  });
  const run = async () =>
    untilFinished(owner, await launch(owner, seed.projectId, { template_id: template.id }));
  expect((await run()).status).toBe('success');
  const { git_url: url } = await owner.call(repositories.one, {
    params: { project_id: seed.projectId, repository_id: seed.repositoryId },
  });
  await commitFiles(url, { 'infra/main.tf': '# input: two\n' });
  expect((await run()).status).toBe('success');
  return { project_id: seed.projectId, template_id: template.id };
}

test('every web server lists and changes what the runner servers keep, and names those that are away', async () => {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  const runner = await cluster.start('runner', { env: { SIGNALBOX_SERVER_NAME: 'keeper' } });
  const owner = await cluster.at(web);
  const params = await applied(owner);
  const all = await cluster.start('all', { env: { SIGNALBOX_SERVER_NAME: 'other' } });
  const path = join(
    runner.dataDir,
    `terraform/${params.project_id}/${params.template_id}/state/terraform.tfstate`,
  );
  expect(await readFile(path, 'utf8')).toContain('"input":"two"');
  const other = await cluster.at(all);
  for (const caller of [owner, other]) {
    const { states, silent } = await caller.call(keptStates.list, { params });
    expect(silent).toEqual([]);
    expect(states).toMatchObject([
      { is: 'current', runner_name: 'keeper', objects: 1 },
      { is: 'copy', runner_name: 'keeper', objects: 1 },
    ]);
    const counted = await caller.call(keptStates.ofProject, { params });
    expect(counted.states).toMatchObject([{ is: 'current', runner_name: 'keeper', objects: 1 }]);
  }
  const [, copy] = (await other.call(keptStates.list, { params })).states;
  const body = {
    is: 'copy' as const,
    name: copy?.name ?? '',
    workspace: 'default',
    runner_id: copy?.runner_id ?? 0,
  };
  await other.call(keptStates.take, { params, body });
  expect(await readFile(path, 'utf8')).toContain('"input":"one"');
  await runner.end('SIGTERM');
  await until(async () => (await owner.call(keptStates.list, { params })).silent.length > 0);
  for (const caller of [owner, other]) {
    const { states, silent } = await caller.call(keptStates.list, { params });
    expect({ states, silent }).toEqual({ states: [], silent: ['keeper'] });
    const refused = await caller.ask(keptStates.take, { params, body });
    expect(refused.body.code).toBe('state.runner_silent');
  }
});
