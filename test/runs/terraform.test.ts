// Terraform for real where it is installed, and always a stand-in with the same answers.

import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { inventories } from '#shared/api/inventories.ts';
import { repositories } from '#shared/api/repositories.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { createApp } from '../../src/server/app.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { commitFiles, folder, git, seedProject, type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

const standIn = fileURLToPath(new URL('../fixtures/stand-in/terraform', import.meta.url));

function realPrograms(): [name: string, path: string][] {
  return ['terraform', 'tofu'].flatMap((name): [string, string][] => {
    try {
      return [[`the real ${name}`, execFileSync('which', [name], { encoding: 'utf8' }).trim()]];
    } catch {
      return [];
    }
  });
}

/** Understood by Terraform and, by its comments, by the stand-in. */
const configuration = (word: string): string => `# input: ${word}
variable "word" {
  type    = string
  default = ${JSON.stringify(word)}
}
resource "terraform_data" "it" {
  input = var.word
}
`;
const broken = '# fails\nresource "terraform_data" "it" {\n  nothing = true\n}\n';

interface Project {
  app: TestApp;
  seed: Seed;
  change: (text: string) => Promise<unknown>;
  template: (fields?: Parameters<Seed['template']>[0]) => Promise<Template>;
}

async function serverOf(program: string, isShared: boolean): Promise<TestApp> {
  const app = await testApp({ runner: true, shared: isShared });
  await app.admin.call(apps.update, { params: { app_id: 'terraform' }, body: { path: program } });
  return app;
}

/** Of each program one, for tests that leave it as it is. */
const servers = new Map<string, Promise<TestApp>>();
afterAll(async () => {
  for (const server of servers.values()) await (await server).close();
});

function sharedServer(program: string): Promise<TestApp> {
  const server = servers.get(program) ?? serverOf(program, true);
  servers.set(program, server);
  return server;
}

async function projectOf(program: string, isApart = false): Promise<Project> {
  const app = await (isApart ? serverOf(program, false) : sharedServer(program));
  const seed = await seedProject(app.admin, null);
  const path = await folder();
  await git(path, 'init', '--quiet');
  const change = (text: string) => commitFiles(path, { 'infra/main.tf': text });
  await change(configuration('one'));
  const repository = await app.admin.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: { name: 'Infra', git_url: path, git_branch: 'main', ssh_key_id: seed.keyId },
  });
  const template: Project['template'] = (fields) =>
    seed.template({
      app: 'terraform',
      playbook: 'infra',
      repository_id: repository.id,
      inventory_id: null,
      ...fields,
    });
  return { app, seed, change, template };
}

const confirm = ({ app }: Project, { project_id, id }: Task) =>
  app.admin.call(tasks.confirm, { params: { project_id, task_id: id } });

async function run(project: Project, template: Template, fields = {}): Promise<[Task, string]> {
  const { app, seed } = project;
  const task = await launch(app.admin, seed.projectId, { template_id: template.id, ...fields });
  const end = await untilFinished(app.admin, task);
  return [end, await logText(app.admin, task)];
}

/** What a plan says that is to become of the word. */
const planned = (word: string): RegExp => new RegExp(`input += "?${word}"?`);

describe.each([['a stand-in for terraform', standIn], ...realPrograms()])('with %s', (_, path) => {
  test('a plan that changes something waits, and exactly it is applied', async () => {
    const project = await projectOf(path);
    const { app, seed, change } = project;
    const template = await project.template();
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const waiting = await untilStatus(app.admin, task, 'waiting_confirmation');
    expect(waiting.commands.map((command) => command.split(' ')[1])).toEqual(['init', 'plan']);
    const plan = await logText(app.admin, task);
    expect(plan).toMatch(planned('one'));
    expect(plan).toContain('It is applied when somebody confirms it.');
    // What comes into the repository meanwhile is not what was confirmed.
    await change(configuration('two'));
    await confirm(project, task);
    const end = await untilStatus(app.admin, task, 'success');
    expect([end.confirmed_by, end.commands.at(-1)]).toEqual([
      expect.any(Number),
      expect.stringMatching(/ apply -input=false .*plan\.tfplan$/),
    ]);
    expect(await logText(app.admin, task)).toContain('Apply complete!');
    expect(await until(async () => (await runsOf(app)).length === 0)).toBe(true);
  });

  test('the state is kept for the next run, and a plan without a change ends in success', async () => {
    const project = await projectOf(path);
    const template = await project.template({ auto_approve: true });
    const [first, applied] = await run(project, template);
    expect([first.status, applied.includes('Apply complete!')]).toEqual(['success', true]);
    const [second, log] = await run(project, template);
    expect([second.status, second.confirmed_at]).toEqual(['success', null]);
    expect(log).toContain('Nothing is applied.');
    expect(log).not.toContain('Apply complete!');
    // The words of the program decide nothing.
    await project.change(configuration('No changes. Infrastructure'));
    const [third, changed] = await run(project, template);
    expect([third.status, changed.includes('Apply complete!')]).toEqual(['success', true]);
  });

  test('a dry run shows the plan and applies nothing, whatever approves it', async () => {
    const project = await projectOf(path);
    const template = await project.template({ auto_approve: true });
    const [task, log] = await run(project, template, { dry_run: true });
    expect(task.status).toBe('success');
    expect(log).toMatch(planned('one'));
    expect(log).not.toContain('Apply complete!');
    const [, applied] = await run(project, template);
    expect(applied).toContain('Apply complete!');
  });

  test('a plan that fails ends the task as failed', async () => {
    const project = await projectOf(path);
    await project.change(broken);
    const [task, log] = await run(project, await project.template({ auto_approve: true }));
    expect(task.status).toBe('error');
    expect(log).toContain('ended with the exit code 1.');
  });

  test('variables, secret ones too, and arguments reach the plan; each workspace has its state', async () => {
    const project = await projectOf(path);
    const { app, seed } = project;
    const inventory = await app.admin.call(inventories.create, {
      params: { project_id: seed.projectId },
      body: { name: 'Staging', type: 'terraform-workspace', inventory: 'staging' },
    });
    const survey = { name: 'word', title: 'Word', type: 'secret' as const };
    const common = { auto_approve: true, survey_vars: [survey], arguments: '["-parallelism=3"]' };
    const template = await project.template({ ...common, inventory_id: inventory.id });
    const fields = { secret: '{"word": "canary-word"}' };
    const [task, log] = await run(project, template, fields);
    expect([task.status, log.includes('Apply complete!')]).toEqual(['success', true]);
    expect(log).toMatch(planned(String.raw`\*{8}`));
    expect(log).not.toContain('canary');
    expect(task.commands.map((command) => command.split(' ').slice(1, 3).join(' '))).toEqual([
      'init -input=false',
      'workspace select',
      'plan -input=false',
      'apply -input=false',
    ]);
    expect(task.commands[2]).toContain(' -parallelism=3');
    const [again, nothing] = await run(project, template, fields);
    expect([again.status, nothing.includes('Nothing is applied.')]).toEqual(['success', true]);
  });

  test('a waiting plan survives a restart, and is removed when the task is stopped', async () => {
    const project = await projectOf(path, true);
    const { app, seed } = project;
    const template = await project.template();
    const start = () => launch(app.admin, seed.projectId, { template_id: template.id });
    const task = await start();
    await untilStatus(app.admin, task, 'waiting_confirmation');
    await app.app.runner.close();
    const next = await createApp(app.ctx, { config: app.ctx.config, log: app.ctx.log });
    await next.runner.start();
    app.app.runner.close = () => next.runner.close();
    expect(await runsOf(app)).toHaveLength(1);
    await confirm(project, task);
    await untilStatus(app.admin, task, 'success');
    const log = await logText(app.admin, task);
    expect(log.match(/Apply complete!/g)).toHaveLength(1);
    expect(log.match(/Command: .* plan /g)).toHaveLength(1);
    await project.change(configuration('two'));
    const other = await start();
    await untilStatus(app.admin, other, 'waiting_confirmation');
    const params = { project_id: seed.projectId, task_id: other.id };
    await app.admin.call(tasks.stop, { params, body: {} });
    expect((await untilFinished(app.admin, other)).status).toBe('stopped');
    expect(await until(async () => (await runsOf(app)).length === 0)).toBe(true);
  });

  test('approval at launch must be allowed, and never passes a required confirmation', async () => {
    const project = await projectOf(path);
    const { app, seed } = project;
    const closed = await project.template();
    const answer = await app.admin.ask(tasks.start, {
      params: { project_id: seed.projectId },
      body: { template_id: closed.id, auto_approve: true },
    });
    expect([answer.status, answer.body.params]).toEqual([422, { field: 'auto_approve' }]);
    const open = await project.template({ allow_auto_approve_in_task: true });
    const [task] = await run(project, open, { auto_approve: true });
    expect([task.status, task.auto_approve]).toEqual(['success', true]);
    const guarded = await project.template({ requires_confirmation: true, auto_approve: true });
    const held = await launch(app.admin, seed.projectId, { template_id: guarded.id });
    const waiting = await untilStatus(app.admin, held, 'waiting_confirmation');
    expect(waiting.commands).toHaveLength(2);
    // It leaves nothing to the server's other tests.
    const params = { project_id: seed.projectId, task_id: held.id };
    await app.admin.call(tasks.stop, { params, body: {} });
  });
});

test('a configuration with a backend of its own keeps it (a stand-in for terraform)', async () => {
  const project = await projectOf(standIn, true);
  await project.change(`${configuration('one')}terraform {\n  backend "s3" {}\n}\n`);
  const { app, seed } = project;
  const template = await project.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, task, 'waiting_confirmation');
  const { dataDir } = app.ctx.config;
  const names = await readdir(join(dataDir, 'runs'), { recursive: true });
  expect(names.filter((name) => name.endsWith('infra/main.tf'))).toHaveLength(1);
  expect(names.filter((name) => name.includes('override'))).toEqual([]);
});

async function runsOf({ ctx }: TestApp): Promise<string[]> {
  return readdir(join(ctx.config.dataDir, 'runs'));
}
