import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { gitRepository, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';
import { mirrorName } from '../../src/runner/git/mirror-name.ts';
import { localDesk } from '../../src/server/runner-desk/local-desk.ts';
import { sweep } from '../../src/runner/runs/sweep.ts';

const namesIn = ({ ctx }: TestApp, folder: string): Promise<string[]> =>
  readdir(join(ctx.config.dataDir, folder));

test('a repository that moves or goes takes its mirror with it, and no other', async () => {
  const app = await testApp({ runner: true });
  const moving = await seedProject(app.admin);
  const staying = await seedProject(app.admin);
  const template = await moving.template();
  const other = await staying.template();
  const run = async (projectId: number, template_id: number): Promise<void> => {
    const task = await launch(app.admin, projectId, { template_id });
    await untilStatus(app.admin, task, 'success');
  };
  await run(moving.projectId, template.id);
  await run(staying.projectId, other.id);
  const before = await namesIn(app, 'mirrors');
  expect(before).toHaveLength(2);
  const params = { project_id: moving.projectId, repository_id: moving.repositoryId };
  const git_url = await gitRepository({ 'play.yml': 'echo moved\n' });
  const body = { name: 'Code', git_url, git_branch: 'main', ssh_key_id: moving.keyId };
  await app.admin.call(repositories.update, { params, body });
  await until(async () => (await namesIn(app, 'mirrors')).length === 1);
  await run(moving.projectId, template.id);
  const after = await namesIn(app, 'mirrors');
  expect(after.filter((name) => before.includes(name))).toHaveLength(1);
  expect(after).toHaveLength(2);
  const one = { params: { project_id: moving.projectId, template_id: template.id } };
  await app.admin.call(templates.remove, one);
  await app.admin.call(repositories.remove, { params });
  await until(async () => (await namesIn(app, 'mirrors')).length === 1);
  await run(staying.projectId, other.id);
});

test('a mirror that a running task borrows from stays just until the task has ended', async () => {
  const app = await testApp({ runner: true });
  const script =
    'echo started; while ! [ -e /proc/self/cwd/go ]; do sleep 0.05; done; git log -1 --format=%s\n';
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(app.admin, task)).includes('started'));
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const git_url = await gitRepository({ 'play.yml': 'echo moved\n' });
  const body = { name: 'Code', git_url, git_branch: 'main', ssh_key_id: seed.keyId };
  await app.admin.call(repositories.update, { params, body });
  // One that belongs to nothing shows that everything has been looked at.
  await mkdir(join(app.ctx.config.dataDir, 'mirrors', '999-0123456789ab.git'));
  await app.admin.call(repositories.update, { params, body });
  await until(async () => !(await namesIn(app, 'mirrors')).includes('999-0123456789ab.git'));
  expect(await namesIn(app, 'mirrors')).toHaveLength(1);
  const [run = ''] = await namesIn(app, 'runs');
  await writeFile(join(app.ctx.config.dataDir, 'runs', run, 'checkout', 'go'), '');
  await untilStatus(app.admin, task, 'success');
  expect(await logText(app.admin, task)).toContain('First commit');
  await until(async () => (await namesIn(app, 'mirrors')).length === 0);
});

test('host keys and states go with their project, and mirrors of submodules with their repository', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const { config } = app.ctx;
  const owner = { repositoryId: 7, url: 'https://example.com/x' };
  const inUse = [`${mirrorName(owner)}.git`, `${mirrorName(owner)}-0123456789ab.git`];
  const moved = mirrorName({ ...owner, url: 'https://example.com/y' });
  const files = {
    'known-hosts': [String(seed.projectId), '99999'],
    terraform: [String(seed.projectId), '99999'],
    mirrors: [...inUse, `${moved}.git`, `${moved}-0123456789ab.git`],
  };
  for (const [folder, names] of Object.entries(files)) {
    await mkdir(join(config.dataDir, folder));
    for (const name of names) await writeFile(join(config.dataDir, folder, name), '');
  }
  await sweep({ config, desk: localDesk(app.ctx) }, () => [owner]);
  expect(await namesIn(app, 'known-hosts')).toEqual([String(seed.projectId)]);
  expect(await namesIn(app, 'terraform')).toEqual([String(seed.projectId)]);
  expect((await namesIn(app, 'mirrors')).sort()).toEqual(inUse.sort());
  await sweep({ config, desk: localDesk(app.ctx) }, () => []);
  expect(await namesIn(app, 'mirrors')).toEqual([]);
});
