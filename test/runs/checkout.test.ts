// Slow: whole tasks, with a checkout for each.
// Which branch a task runs, from the template to the runner, and which are refused.

import { expect, test } from 'vitest';
import { integrations } from '#shared/api/integrations.ts';
import { repositories } from '#shared/api/repositories.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { commitFiles, git, seedProject, type Seed } from '../helpers/seed.ts';
import { launch, logText, untilStatus } from '../helpers/tasks.ts';

test('takes the branch of the template before that of the repository, and the commit of a launch', async () => {
  const { app, seed } = await appWithProject(
    { 'play.yml': 'cat where\n', where: 'main\n' },
    { runner: true },
  );
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  await git(path, 'switch', '--quiet', '-c', 'release/1');
  await commitFiles(path, { where: 'release\n' }, 'Release');
  const template = await seed.template({ git_branch: 'release/1' });
  const body = { template_id: template.id };
  const one = await launch(app.admin, seed.projectId, body);
  const first = await untilStatus(app.admin, one, 'success');
  expect(first.commit_message).toBe('Release');
  expect(await logText(app.admin, one)).toContain('\nrelease');
  await commitFiles(path, { where: 'newer\n' });
  const again = { ...body, commit_hash: first.commit_hash };
  const two = await launch(app.admin, seed.projectId, again);
  expect((await untilStatus(app.admin, two, 'success')).commit_hash).toBe(first.commit_hash);
  expect(await logText(app.admin, two)).toContain('\nrelease');
});

/** Asks for a branch at every place that takes one; returns the errors, each with the path of its field. */
async function askEverywhere(app: TestApp, seed: Seed, branch: string) {
  const params = { project_id: seed.projectId };
  const template = await seed.template({ allow_override_branch_in_task: true });
  const of = { template_id: template.id };
  const name = `At ${template.id}`;
  const chosen = { ...of, name, task_params: { git_branch: branch } };
  const place = { git_url: '/srv/code', ssh_key_id: seed.keyId };
  const { admin } = app;
  const answers: Record<string, { status: number; body: { fields?: object[] } }> = {
    launch: await admin.ask(tasks.start, { params, body: { ...of, git_branch: branch } }),
    template: await admin.ask(templates.create, {
      params,
      body: { ...template, name, git_branch: branch },
    }),
    repository: await admin.ask(repositories.create, {
      params,
      body: { ...place, name, git_branch: branch },
    }),
    schedule: await admin.ask(schedules.create, {
      params,
      body: { ...chosen, cron_format: '@daily' },
    }),
    integration: await admin.ask(integrations.create, { params, body: chosen }),
  };
  return Object.entries(answers).map(([where, { status, body }]) => [where, status, body.fields]);
}

test.each(['main~3', 'main^{/a}', 'HEAD@{1}', 'refs/remotes/origin/main', 'a:b'])(
  'the revision %s is refused wherever a branch can be given',
  async (branch) => {
    const app = await testApp();
    const refused = (path: string) => [{ path, code: 'field.git_reference' }];
    const seed = await seedProject(app.admin, null);
    expect(await askEverywhere(app, seed, branch)).toMatchObject([
      ['launch', 400, refused('git_branch')],
      ['template', 400, refused('git_branch')],
      ['repository', 400, refused('git_branch')],
      ['schedule', 400, refused('task_params.git_branch')],
      ['integration', 400, refused('task_params.git_branch')],
    ]);
  },
);

test.each(['refs/heads/main', 'refs/tags/v1', 'a1'.repeat(20), 'B2'.repeat(20), 'c3'.repeat(32)])(
  'the exact name or full commit %s is taken wherever a branch can be given',
  async (branch) => {
    const { app, seed } = await appWithProject(null);
    const statuses = (await askEverywhere(app, seed, branch)).map(([, status]) => status);
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
  },
);

test('a full name and a full commit run, from the launch and the template', async () => {
  const { app, seed } = await appWithProject(
    { 'play.yml': 'cat where\n', where: 'old\n' },
    { runner: true },
  );
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  const first = await git(path, 'rev-parse', 'HEAD');
  const second = await commitFiles(path, { where: 'new\n' });
  // A tag must not take the place of the branch that is named in full.
  await git(path, 'tag', 'main', first);
  const free = await seed.template({ allow_override_branch_in_task: true });
  const pinned = await seed.template({ git_branch: first });
  const ran = async (body: Parameters<typeof launch>[2]) => {
    const task = await launch(app.admin, seed.projectId, body);
    return (await untilStatus(app.admin, task, 'success')).commit_hash;
  };
  expect(await ran({ template_id: free.id, git_branch: 'refs/heads/main' })).toBe(second);
  expect(await ran({ template_id: free.id, git_branch: 'refs/tags/main' })).toBe(first);
  expect(await ran({ template_id: free.id, git_branch: first })).toBe(first);
  expect(await ran({ template_id: pinned.id })).toBe(first);
});
