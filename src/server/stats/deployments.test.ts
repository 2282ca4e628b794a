import { expect, test } from 'vitest';
import { stats } from '#shared/api/stats.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { testApp } from '../../../test/helpers/app.ts';
import { seedProject } from '../../../test/helpers/seed.ts';

async function start() {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  let hour = 0;
  /** A task of a template that has ended; each begins an hour after the one before it. */
  const ran = async (
    templateId: number,
    {
      build,
      version,
      status = 'success',
    }: { build?: number; version?: string; status?: TaskStatus },
  ) => {
    const body = { template_id: templateId, build_task_id: build ?? null };
    const { id } = await app.admin.call(tasks.start, { params, body });
    hour += 1;
    const end = endOf(hour);
    await app.ctx.db
      .updateTable('tasks')
      .set({ status, end, version: version ?? null })
      .where('id', '=', id)
      .execute();
    return id;
  };
  const build = await seed.template({ name: 'Build', type: 'build', start_version: '1' });
  const deployOf = (name: string, buildTemplate: number) =>
    seed.template({ name, type: 'deploy', build_template_id: buildTemplate });
  const read = async (query = {}) => {
    const { boards } = await app.admin.call(stats.deployments, { params, query });
    return boards;
  };
  return { app, seed, params, build, ran, deployOf, read };
}

const endOf = (hour: number): string => new Date(Date.UTC(2026, 10, 21, hour)).toISOString();

test('shows which version each deploy template has deployed, since when and by whom', async () => {
  const { build, ran, deployOf, read } = await start();
  const staging = await deployOf('Staging', build.id);
  const production = await deployOf('Production', build.id);
  const first = await ran(build.id, { version: '1.0' });
  const second = await ran(build.id, { version: '1.1' });
  await ran(build.id, { version: '1.2', status: 'error' });
  const old = await ran(staging.id, { build: first });
  await ran(staging.id, { build: second });
  const current = await ran(staging.id, { build: second });
  const failed = await ran(staging.id, { build: first, status: 'error' });
  const [board] = await read();
  expect(board).toMatchObject({ template_id: build.id, name: 'Build' });
  expect(board?.builds).toEqual([
    { task_id: second, version: '1.1', end: endOf(2) },
    { task_id: first, version: '1.0', end: endOf(1) },
  ]);
  const [productionRow, stagingRow] = board?.targets ?? [];
  expect(productionRow).toMatchObject({
    template_id: production.id,
    name: 'Production',
    current: null,
    attempts: [],
  });
  expect(stagingRow?.current).toEqual({
    build_task_id: second,
    task_id: current,
    since: endOf(5),
    user_name: 'root',
    launcher: null,
  });
  expect(
    stagingRow?.attempts.map(({ build_task_id, task_id, status }) => [
      build_task_id,
      task_id,
      status,
    ]),
  ).toEqual([
    [first, failed, 'error'],
    [second, current, 'success'],
  ]);
  expect(old).toBeLessThan(failed);
});

test('follows deploys of deploys to the build', async () => {
  const { build, ran, deployOf, read } = await start();
  const staging = await deployOf('Staging', build.id);
  const production = await deployOf('Production', staging.id);
  const built = await ran(build.id, { version: '3' });
  const staged = await ran(staging.id, { build: built });
  const released = await ran(production.id, { build: staged });
  const boards = await read();
  expect(boards).toHaveLength(1);
  expect(boards[0]?.targets.map(({ name, current }) => [name, current?.build_task_id])).toEqual([
    ['Production', built],
    ['Staging', built],
  ]);
  expect(boards[0]?.targets[0]?.current?.task_id).toBe(released);
});

test('shows a deployed version however old it is, and the newest others', async () => {
  const { build, ran, deployOf, read } = await start();
  const staging = await deployOf('Staging', build.id);
  const oldest = await ran(build.id, { version: '1' });
  await ran(staging.id, { build: oldest });
  for (let version = 2; version < 14; version += 1) {
    await ran(build.id, { version: String(version) });
  }
  const [board] = await read();
  expect(board?.builds.map(({ version }) => version)).toEqual([
    '13',
    '12',
    '11',
    '10',
    '9',
    '8',
    '7',
    '6',
    '1',
  ]);
});

test('has one board for each build template, and only that which is asked for', async () => {
  const { app, seed, build, deployOf, read } = await start();
  const other = await seed.template({ name: 'Another build', type: 'build', start_version: '1' });
  await deployOf('Staging', build.id);
  await deployOf('Other staging', other.id);
  expect((await read()).map(({ name }) => name)).toEqual(['Another build', 'Build']);
  const asked = await read({ build_template_id: build.id });
  expect(asked.map(({ template_id: id }) => id)).toEqual([build.id]);
  const foreign = await seedProject(app.admin, null);
  const params = { project_id: foreign.projectId };
  const query = { build_template_id: build.id };
  expect(await app.admin.call(stats.deployments, { params, query })).toEqual({ boards: [] });
});
