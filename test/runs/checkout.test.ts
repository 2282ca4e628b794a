import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { integrations } from '#shared/api/integrations.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { commitFiles, folder, git, gitRepository, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

test('each run has the newest commit in a folder of its own; a pinned one has its commit', async () => {
  const app = await testApp({ runner: true });
  const script = 'pwd; cat version; git rev-parse HEAD 2>/dev/null; ls -a\n';
  const seed = await seedProject(app.admin, { 'play.yml': script, version: 'first\n' });
  const template = await seed.template();
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  const one = await launch(app.admin, seed.projectId, { template_id: template.id });
  const first = await untilStatus(app.admin, one, 'success');
  await commitFiles(path, { version: 'second\n' }, 'Second');
  const two = await launch(app.admin, seed.projectId, { template_id: template.id });
  const second = await untilStatus(app.admin, two, 'success');
  expect(await logText(app.admin, one)).toContain('first');
  expect(await logText(app.admin, two)).toContain('second');
  expect(second.commit_message).toBe('Second');
  const again = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    commit_hash: first.commit_hash,
  });
  const third = await untilStatus(app.admin, again, 'success');
  expect(third.commit_hash).toBe(first.commit_hash);
  expect(await logText(app.admin, again)).toContain('first');
});

test('takes the branch of the template before that of the repository, and tags too', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'play.yml': 'cat where\n', where: 'main\n' });
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  await git(path, 'switch', '--quiet', '-c', 'release/1');
  await commitFiles(path, { where: 'release\n' });
  await git(path, 'tag', 'v1');
  for (const branch of ['release/1', 'v1']) {
    const template = await seed.template({ git_branch: branch });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    await untilStatus(app.admin, task, 'success');
    expect(await logText(app.admin, task)).toContain('release');
  }
  const missing = await seed.template({ git_branch: 'nowhere' });
  const task = await launch(app.admin, seed.projectId, { template_id: missing.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain('no branch or tag "nowhere"');
});

test('runs exact names and whole commits, and a branch before a tag of its name', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'play.yml': 'cat where\n', where: 'main\n' });
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  const first = await git(path, 'rev-parse', 'HEAD');
  await git(path, 'tag', '--annotate', '--message', 'One', 'both');
  await git(path, 'switch', '--quiet', '--create', 'both');
  await commitFiles(path, { where: 'branch\n' });
  await git(path, 'switch', '--quiet', '--detach');
  const lost = await commitFiles(path, { where: 'on no branch\n' });
  // As hidden as the refs of requests to merge.
  await git(path, 'update-ref', 'refs/pull/1/head', lost);
  await git(path, 'switch', '--quiet', 'both');
  const run = async (git_branch: string) => {
    const { id } = await seed.template({ git_branch });
    const task = await launch(app.admin, seed.projectId, { template_id: id });
    const { status } = await untilFinished(app.admin, task);
    return [status, (await logText(app.admin, task)).trimEnd().split('\n').at(-1)];
  };
  expect(await run('both')).toEqual(['success', 'branch']);
  expect(await run('refs/heads/both')).toEqual(['success', 'branch']);
  expect(await run('refs/tags/both')).toEqual(['success', 'main']);
  expect(await run(first)).toEqual(['success', 'main']);
  const unknown = `No branch or tag of the repository leads to the commit ${lost}.`;
  expect(await run(lost)).toEqual(['error', unknown]);
  // A template from before names had to be exact.
  const { id } = await seed.template({});
  const words = '"main^{/First}" is not the exact name of a branch or tag, and not a full commit.';
  await app.ctx.db
    .updateTable('templates')
    .set({ git_branch: 'main^{/First}' })
    .where('id', '=', id)
    .execute();
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain(words);
});

const fieldsOf = async (answer: Promise<{ status: number; body: { fields?: object[] } }>) => {
  const { status, body } = await answer;
  return [status, body.fields];
};

test('a branch that is a revision is refused wherever one can be given', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const { id } = await seed.template({ allow_override_branch_in_task: true });
  const body = { template_id: id };
  for (const branch of ['main~3', 'main^{/a}', 'HEAD@{1}', 'refs/remotes/origin/main', 'a:b']) {
    const asked = { ...body, git_branch: branch };
    const refused = (path: string) => [400, [{ path, code: 'field.git_reference' }]];
    const atLaunch = app.admin.ask(tasks.start, { params, body: asked });
    expect(await fieldsOf(atLaunch)).toMatchObject(refused('git_branch'));
    const one = await app.admin.call(templates.one, { params: { ...params, template_id: id } });
    const template = { ...one, git_branch: branch };
    const inTemplate = app.admin.ask(templates.create, { params, body: template });
    expect(await fieldsOf(inTemplate)).toMatchObject(refused('git_branch'));
    const repository = { name: 'Other', git_url: '/srv/code', ssh_key_id: seed.keyId };
    const inRepository = app.admin.ask(repositories.create, {
      params,
      body: { ...repository, git_branch: branch },
    });
    expect(await fieldsOf(inRepository)).toMatchObject(refused('git_branch'));
    const integration = { name: 'Push', template_id: id, task_params: { git_branch: branch } };
    const inIntegration = app.admin.ask(integrations.create, { params, body: integration });
    expect(await fieldsOf(inIntegration)).toMatchObject(refused('task_params.git_branch'));
  }
});

test('runs a plain folder from a copy', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin);
  const path = await folder();
  await writeFile(join(path, 'play.yml'), 'pwd; touch made-by-the-run; echo plain\n');
  const params = { project_id: seed.projectId };
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Plain', git_url: path, ssh_key_id: seed.keyId },
  });
  const template = await seed.template({ repository_id: repository.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const finished = await untilStatus(app.admin, task, 'success');
  expect(finished.commit_hash).toBeNull();
  expect(await readdir(path)).toEqual(['play.yml']);
});

test('refuses links that lead out of the repository or out of the allowed folders', async () => {
  const outside = await folder();
  await writeFile(join(outside, 'secret.yml'), 'echo leaked\n');
  const allowed = await folder();
  const app = await testApp({ runner: true, config: { localRepositories: [allowed] } });
  const inside = join(allowed, 'code');
  await mkdir(inside);
  await symlink(join(outside, 'secret.yml'), join(inside, 'play.yml'));
  await symlink(outside, join(allowed, 'way-out'));
  const root = await testApp({ runner: true });
  expect(root.ctx.config.localRepositories).toEqual(['/']);
  const seed = await seedProjectIn(app, inside);
  const wayOut = await seedProjectIn(app, join(allowed, 'way-out'), 'secret.yml');
  for (const [one, words] of [
    [seed, 'lies outside the repository'],
    [wayOut, 'is outside the folders that the administrator allows'],
  ] as const) {
    const task = await launch(app.admin, one.projectId, { template_id: one.templateId });
    expect((await untilFinished(app.admin, task)).status).toBe('error');
    const log = await logText(app.admin, task);
    expect(log).toContain(words);
    expect(log).not.toContain('leaked');
  }
});

/** A project whose repository is a folder that must be allowed. */
async function seedProjectIn(app: TestApp, path: string, playbook = 'play.yml') {
  const project = await app.admin.call(projects.create, { body: { name: path } });
  const params = { project_id: project.id };
  const [key] = await app.admin.call(keys.list, { params });
  const [environment] = await app.admin.call(environments.list, { params });
  const ssh_key_id = key?.id ?? 0;
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: { name: 'Hosts', type: 'static', inventory: 'localhost\n', ssh_key_id },
  });
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Code', git_url: path, ssh_key_id },
  });
  const template = await app.admin.call(templates.create, {
    params,
    body: {
      name: 'Run',
      playbook,
      inventory_id: inventory.id,
      repository_id: repository.id,
      environment_id: environment?.id ?? 0,
    },
  });
  return { projectId: project.id, templateId: template.id };
}

test('git never runs what an address hides', async () => {
  const app = await testApp({ runner: true });
  const place = await gitRepository({ 'play.yml': 'echo hello\n' });
  const mark = join(await folder(), 'touched');
  await mkdir(join(place, '.git', 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'reference-transaction', 'pre-auto-gc']) {
    await writeFile(join(place, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, {
      mode: 0o755,
    });
  }
  const seed = await seedProject(app.admin);
  const params = { project_id: seed.projectId };
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Hooks', git_url: place, git_branch: 'main', ssh_key_id: seed.keyId },
  });
  const template = await seed.template({ repository_id: repository.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, task, 'success');
  await expect(readFile(mark)).rejects.toThrow('ENOENT');
});

test('a lock that a killed git left in the mirror does not stop later tasks', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'play.yml': 'cat version\n', version: 'first\n' });
  const template = await seed.template();
  const one = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, one, 'success');
  const mirrors = join(app.ctx.config.dataDir, 'mirrors');
  const [mirror = ''] = await readdir(mirrors);
  await writeFile(join(mirrors, mirror, 'refs/heads/main.lock'), '');
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  await commitFiles(path, { version: 'second\n' });
  const two = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, two, 'success');
  expect(await logText(app.admin, two)).toContain('second');
});

test('other users of the machine can read nothing of a run, and nothing stays when it ends', async () => {
  const app = await testApp({ runner: true });
  const script = 'echo "inventory ${1#*=}"; while ! [ -e go ]; do sleep 0.05; done\n';
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const params = { project_id: seed.projectId };
  const git_url = await gitRepository({ hosts: 'localhost\n' });
  const own = { name: 'Hosts', git_url, git_branch: 'main', ssh_key_id: seed.keyId };
  const { id: repository_id } = await app.admin.call(repositories.create, { params, body: own });
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: { name: 'File', type: 'file', inventory: 'hosts', ssh_key_id: seed.keyId, repository_id },
  });
  const template = await seed.template({ inventory_id: inventory.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { dataDir } = app.ctx.config;
  await until(async () => (await logText(app.admin, task)).includes('\ninventory /'));
  const [run = ''] = await readdir(join(dataDir, 'runs'));
  // Whatever lies below a folder that only we can enter is closed to others too.
  for (const name of ['.', 'runs', `runs/${run}`, 'mirrors']) {
    const { mode } = await stat(join(dataDir, name));
    expect([name, (mode & 0o777).toString(8)]).toEqual([name, '700']);
  }
  const path = join(dataDir, 'runs', run, 'inventory', 'hosts');
  expect(await logText(app.admin, task)).toContain(`\ninventory ${path}`);
  expect(await readFile(path, 'utf8')).toBe('localhost\n');
  await writeFile(join(dataDir, 'runs', run, 'checkout', 'go'), '');
  await untilStatus(app.admin, task, 'success');
  await until(async () => (await readdir(join(dataDir, 'runs'))).length === 0);
});
