// Only on PostgreSQL: several servers need a database that they can share.
// Slow: several whole servers are started.
// Tags decide which of the servers runs a task.

import { expect, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { runners } from '#shared/api/runners.ts';
import { scriptProject, startCluster } from '../helpers/cluster.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const tagged = (tags: string) => ({ env: { SIGNALBOX_RUNNER_TAGS: tags } });

test('a task runs on a server that has its tags, and on no other one', async () => {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  const plain = await cluster.start('runner');
  const dmz = await cluster.start('runner', tagged('dmz'));
  const owner = await cluster.at(web);
  const list = await owner.call(runners.list, {});
  expect(list.map(({ role, tags }) => [role, tags])).toEqual([
    ['web', []],
    ['runner', []],
    ['runner', ['dmz']],
  ]);
  // A run is in the data folder of the server that runs it.
  const seed = await scriptProject(owner, 'pwd\n');
  const start = async (tags: string[]) => {
    const { id } = await seed.template({ runner_tags: tags, allow_parallel_tasks: true });
    return [id, await launch(owner, seed.projectId, { template_id: id })] as const;
  };
  const tasks = [];
  for (let count = 0; count < 4; count += 1) {
    const [, one] = await start(['dmz']);
    const [, other] = await start([]);
    tasks.push({ task: one, folder: dmz.dataDir }, { task: other, folder: plain.dataDir });
  }
  for (const { task, folder } of tasks) {
    expect((await untilFinished(owner, task)).status).toBe('success');
    expect(await logText(owner, task)).toContain(folder);
  }
}, 120_000);

test('a task for a tag that no server has waits, says so, and runs when one comes', async () => {
  const cluster = await startCluster();
  const first = await cluster.start('all');
  const owner = await cluster.at(first);
  const seed = await scriptProject(owner, 'pwd\n');
  const params = { project_id: seed.projectId };
  const { name } = await owner.call(projects.one, { params });
  await owner.call(projects.update, { params, body: { name, runner_tags: ['lab', 'dmz'] } });
  const { id: templateId } = await seed.template();
  const task = await launch(owner, seed.projectId, { template_id: templateId });
  expect(task.waiting_for).toMatchObject({ reason: 'runner', tags: ['dmz', 'lab'] });
  const runner = await cluster.start('runner', tagged('lab,more,dmz'));
  expect((await untilFinished(owner, task)).status).toBe('success');
  expect(await logText(owner, task)).toContain(runner.dataDir);
}, 120_000);
