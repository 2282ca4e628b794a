import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { gitRepository, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';
import type { DataFolderContents } from '../../src/runner/api/runner-api.ts';
import { mirrorName } from '../../src/runner/git/mirror-name.ts';
import { filterExisting } from '../../src/server/runner-api/filter-existing.ts';
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

test('mirrors and facts of unknown projects are removed; what exists only here is set aside', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ app: 'terraform', playbook: '.', inventory_id: null });
  const { config, log } = app.ctx;
  const owner = { repositoryId: 7, url: 'https://example.com/x' };
  const inUse = [`${mirrorName(owner)}.git`, `${mirrorName(owner)}-0123456789ab.git`];
  const moved = mirrorName({ ...owner, url: 'https://example.com/y' });
  const [known, unknown] = [String(seed.projectId), '99999'];
  const files = {
    'known-hosts': [known, unknown],
    facts: [known, unknown],
    homes: [unknown],
    mirrors: [...inUse, `${moved}.git`, `${moved}-0123456789ab.git`],
  };
  for (const [folder, names] of Object.entries(files)) {
    await mkdir(join(config.dataDir, folder));
    for (const name of names) await writeFile(join(config.dataDir, folder, name), '');
  }
  const state = (objects: number): string =>
    JSON.stringify({ version: 4, resources: [{ mode: 'managed', instances: Array(objects) }] });
  const keep = async (name: string, text: string): Promise<void> => {
    const folder = join(config.dataDir, 'terraform', name);
    await mkdir(join(folder, 'state'), { recursive: true });
    await mkdir(join(folder, 'plugins'));
    await writeFile(join(folder, 'state/terraform.tfstate'), text);
    await writeFile(`${folder}.origin.json`, '{}');
  };
  await keep(`${known}/${template.id}`, state(1));
  await keep(`${known}/88888`, state(1));
  await keep(`${unknown}/${template.id}`, '');
  await keep(`${unknown}/77777`, state(0));
  // Versions before 0.2 kept checkouts in it.
  await mkdir(join(config.dataDir, 'spares/spare-1'), { recursive: true });
  const runnerApi = {
    filterExisting: (found: DataFolderContents) => filterExisting(app.ctx, found, null),
  };
  const ctx = { config, log, runnerApi };
  await sweep(ctx, () => [owner]);
  expect(await readdir(config.dataDir)).not.toContain('spares');
  expect(await namesIn(app, 'known-hosts')).toEqual([known]);
  expect(await namesIn(app, 'facts')).toEqual([known]);
  expect(await namesIn(app, 'homes')).toEqual([]);
  const own = [String(template.id), `${template.id}.origin.json`];
  expect((await namesIn(app, `terraform/${known}`)).sort()).toEqual(own);
  expect(await namesIn(app, `terraform/${unknown}`)).toEqual([]);
  const aside = async (kind: string): Promise<string[]> => {
    const names = await namesIn(app, `set-aside/${kind}`);
    return names.map((name) => name.replace(/-\d{4}-.*/, '')).sort();
  };
  expect(await aside('terraform')).toEqual(
    [`project-${known}-template-88888`, `project-${unknown}-template-${template.id}`].sort(),
  );
  const [name = ''] = (await namesIn(app, 'set-aside/terraform')).filter((one) =>
    /88888/.test(one),
  );
  const folder = join(config.dataDir, 'set-aside/terraform', name);
  expect((await readdir(folder)).sort()).toEqual(['88888', '88888.origin.json', 'note.json']);
  expect(await readFile(join(folder, '88888/state/terraform.tfstate'), 'utf8')).toBe(state(1));
  expect(await readdir(join(folder, '88888'))).toEqual(['state']);
  expect(await aside('known-hosts')).toEqual([`project-${unknown}`]);
  expect(await aside('homes')).toEqual([`project-${unknown}`]);
  expect((await namesIn(app, 'mirrors')).sort()).toEqual(inUse.sort());
  await sweep(ctx, () => []);
  expect(await namesIn(app, 'mirrors')).toEqual([]);
});
