// Only on PostgreSQL: several servers need a database that they can share.
// Slow: several whole servers are started.
// What administrators can do with servers.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { projects } from '#shared/api/projects.ts';
import { runners } from '#shared/api/runners.ts';
import { templates } from '#shared/api/templates.ts';
import { scriptProject, startCluster } from '../helpers/cluster.ts';
import { folder } from '../helpers/seed.ts';
import { launch, logText, readTask, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

test('a drained server ends what it runs and gets nothing more, until it takes tasks again', async () => {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  await cluster.start('runner');
  const owner = await cluster.at(web);
  const gate = join(await folder(), 'gate');
  const seed = await scriptProject(owner, `until [ -e ${gate} ]; do sleep 0.05; done\n`);
  const { id: templateId } = await seed.template({ allow_parallel_tasks: true });
  const start = () => launch(owner, seed.projectId, { template_id: templateId });
  const first = await start();
  await untilStatus(owner, first, 'running');
  const list = () => owner.call(runners.list, {});
  const [one, runner] = await list();
  expect([one, runner]).toMatchObject([
    { role: 'web', state: 'ready', active: false, draining: false, slots: null },
    { role: 'runner', state: 'ready', active: true, draining: false, running: 1 },
  ]);
  const params = { runner_id: runner?.id ?? 0 };
  await owner.call(runners.update, { params, body: { draining: true } });
  const tagged = await owner.ask(runners.update, { params, body: { tags: ['dmz'] } });
  expect([tagged.status, tagged.body.code]).toEqual([409, 'runner.tags_by_setting']);
  expect((await list())[1]).toMatchObject({ state: 'draining', active: false, running: 1 });
  const second = await start();
  expect(second.waiting_for).toMatchObject({ reason: 'runner' });
  expect((await owner.ask(runners.remove, { params })).body.code).toBe('runner.still_there');
  await writeFile(gate, '');
  expect((await untilFinished(owner, first)).status).toBe('success');
  expect((await readTask(owner, second)).status).toBe('waiting');
  await owner.call(runners.update, { params, body: { draining: false } });
  expect((await untilFinished(owner, second)).status).toBe('success');
  const told = await owner.call(events.list, {});
  const codes = told.map(({ code }) => code).filter((code) => code.startsWith('runner.'));
  expect(codes).toEqual(['runner.resumed', 'runner.drained']);
});

test('the demo project runs on a server that has not made its repository', async () => {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  await cluster.start('runner');
  const owner = await cluster.at(web);
  const { id } = await owner.call(projects.create, { body: { name: 'Demo', demo: true } });
  const [hello] = await owner.call(templates.list, { params: { project_id: id } });
  const task = await launch(owner, id, { template_id: hello?.id ?? 0 });
  const log = async () => (await untilFinished(owner, task)) && logText(owner, task);
  expect([await log(), (await readTask(owner, task)).status]).toEqual([
    expect.stringContaining('Say hello'),
    'success',
  ]);
});

test('a server that is gone can be forgotten, and registers again when it is back', async () => {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  const runner = await cluster.start('runner');
  const owner = await cluster.at(web);
  const states = async () =>
    (await owner.call(runners.list, {})).map(({ role, state }) => `${role} ${state}`);
  expect(await states()).toEqual(['web ready', 'runner ready']);
  const gone = (await owner.call(runners.list, {}))[1]?.id ?? 0;
  const remove = () => owner.ask(runners.remove, { params: { runner_id: gone } });
  expect((await remove()).body.code).toBe('runner.still_there');
  await runner.end('SIGKILL');
  await until(async () => (await states())[1] === 'runner silent');
  expect((await remove()).status).toBe(204);
  expect((await remove()).body.code).toBe('runner.not_found');
  expect(await states()).toEqual(['web ready']);
  await cluster.start('runner', { dataDir: runner.dataDir });
  expect(await states()).toEqual(['web ready', 'runner ready']);
});
