// Slow: whole runs, and a remote runner in a process of its own.
// Also on PostgreSQL: it is all that tests kept states there.
// The states of Terraform that runners keep, with a stand-in for Terraform.

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { keptStates } from '#shared/api/kept-states.ts';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { remoteRunner } from '../../../../test/helpers/remote-runner.ts';
import { commitFiles, seedProject } from '../../../../test/helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from '../../../../test/helpers/tasks.ts';
import { standIn } from '../../../../test/runner/terraform-project.ts';

/** A template whose state has been applied twice, so that there is a copy of it. */
async function applied(app: TestApp) {
  await app.admin.call(apps.update, { params: { app_id: 'terraform' }, body: { path: standIn } });
  const seed = await seedProject(app.admin, { 'infra/main.tf': '# input: one\n' });
  const template = await seed.template({
    app: 'terraform',
    playbook: 'infra',
    inventory_id: null,
    auto_approve: true,
  });
  const params = { project_id: seed.projectId, template_id: template.id };
  const start = () => launch(app.admin, seed.projectId, { template_id: template.id });
  const run = async () => untilFinished(app.admin, await start());
  const list = async (caller = app.admin) =>
    (await caller.call(keptStates.list, { params })).states;
  const take = (body: object, caller = app.admin) =>
    caller.ask(keptStates.take, { params, body: body as never });
  expect((await run()).status).toBe('success');
  const { git_url: url } = await app.admin.call(repositories.one, {
    params: { project_id: seed.projectId, repository_id: seed.repositoryId },
  });
  await commitFiles(url, { 'infra/main.tf': '# input: two\n' });
  expect((await run()).status).toBe('success');
  return { seed, params, start, run, list, take };
}

const stateIn = (dataDir: string, { project_id: project, template_id: template }: Ids): string =>
  join(dataDir, 'terraform', String(project), String(template), 'state/terraform.tfstate');

interface Ids {
  project_id: number;
  template_id: number;
}

test('a copy takes the place of a state that a killed run has emptied, and the next plan waits', async () => {
  const app = await testApp({ runner: true });
  const { params, start, run, list, take } = await applied(app);
  const path = stateIn(app.ctx.config.dataDir, params);
  const [current, copy] = await list();
  expect([current, copy]).toMatchObject([
    { is: 'current', workspace: 'default', content: 'state', objects: 1, serial: 1 },
    { is: 'copy', workspace: 'default', content: 'state', objects: 1, lineage: 'stand-in' },
  ]);
  expect(JSON.stringify(await list())).not.toContain('"two"');
  await writeFile(path, '');
  expect((await run()).failure?.text).toContain('choose "Use this copy"');
  const wanted = { is: 'copy', name: copy?.name, workspace: 'default', runner_id: copy?.runner_id };
  expect((await take({ ...wanted, name: '../../x' })).status).toBe(404);
  expect((await take({ ...wanted, runner_id: 4711 })).status).toBe(404);
  expect((await take(wanted)).status).toBe(204);
  expect(await readFile(path, 'utf8')).toContain('"input":"one"');
  const next = await start();
  const waiting = await untilStatus(app.admin, next, 'waiting_confirmation');
  expect(waiting.confirmation_reason).toMatchObject({ code: 'confirmation.state_replaced' });
  const busy = await take(wanted);
  expect([busy.status, busy.body.code]).toEqual([409, 'state.in_use']);
  await app.admin.call(tasks.confirm, {
    params: { project_id: params.project_id, task_id: next.id },
  });
  await untilStatus(app.admin, next, 'success');
  expect((await run()).status).toBe('success');
  // What was replaced is a copy now.
  expect((await take(wanted)).status).toBe(204);
  const replaced = (await list()).filter(({ is, task_id: id }) => is === 'copy' && id === null);
  expect(replaced).toHaveLength(1);
});

test('what a run or a deleted template has left is adopted, by those to whom it belongs', async () => {
  const app = await testApp({ runner: true });
  const { seed, params, start, list, take } = await applied(app);
  const { dataDir } = app.ctx.config;
  const path = stateIn(dataDir, params);
  const text = await readFile(path, 'utf8');
  const setAside = async (name: string, label: string, note: object): Promise<void> => {
    const folder = join(dataDir, 'set-aside/terraform', name, '9');
    await mkdir(join(folder, 'state'), { recursive: true });
    await writeFile(join(folder, 'state/terraform.tfstate'), text.replace('two', name));
    await mkdir(join(folder, '..', '9.backups'));
    await cp(path, join(folder, '..', '9.backups', `1-task-1.default.tfstate`));
    const whole = { kind: 'terraform', label, why: '', ...note };
    await writeFile(join(folder, '..', 'note.json'), JSON.stringify(whole));
  };
  const { installation } = app.ctx;
  const own = `project-${seed.projectId}-template-9`;
  const now = new Date().toISOString();
  await setAside('own', own, { time: now, installation });
  await setAside('other', 'project-999-template-9', { time: now, installation });
  await setAside('older', own, { time: '2020-01-01T00:00:00.000Z', installation });
  await setAside('foreign', own, { time: now, installation: 'another' });
  const manager = await app.member(seed.projectId, 'manager');
  const asideOf = async (caller = app.admin) =>
    (await list(caller)).filter(({ is }) => is === 'aside').map(({ name }) => name);
  expect(await asideOf(manager)).toEqual(['own/9/state/terraform.tfstate']);
  expect(await asideOf()).toHaveLength(4);
  const [current] = await list();
  const wanted = { is: 'aside', workspace: 'default', runner_id: current?.runner_id };
  const other = { ...wanted, name: 'other/9/state/terraform.tfstate' };
  expect((await take(other, manager)).body.code).toBe('state.not_found');
  const runner = await app.member(seed.projectId, 'task_runner');
  expect((await take(other, runner)).status).toBe(403);
  expect((await take({ ...wanted, name: 'own/9/state/terraform.tfstate' }, manager)).status).toBe(
    204,
  );
  expect(await readFile(path, 'utf8')).toContain('"input":"own"');
  // Its copies came along, and what was set aside is gone with the last of it.
  const folder = join(dataDir, 'set-aside/terraform');
  expect((await readdir(folder)).sort()).toEqual(['foreign', 'older', 'other']);
  expect((await list()).filter(({ is }) => is === 'copy')).toHaveLength(3);
  expect((await take(other)).status).toBe(204);
  await untilStatus(app.admin, await start(), 'waiting_confirmation');
});

test('a remote runner is asked for what it keeps', async () => {
  const app = await testApp({ runner: true, config: { role: 'web' } });
  const address = await app.listen();
  const remote = await remoteRunner(app.admin, address);
  const { params, list, take } = await applied(app);
  const copy = (await list()).find(({ is }) => is === 'copy');
  expect(copy).toMatchObject({ runner_id: remote.id, runner_name: 'Far away', objects: 1 });
  const wanted = { is: 'copy', name: copy?.name, workspace: 'default', runner_id: remote.id };
  expect((await take(wanted)).status).toBe(204);
  expect(await readFile(stateIn(remote.dataDir, params), 'utf8')).toContain('"input":"one"');
});

test('the states in use of a project are counted', async () => {
  const app = await testApp({ runner: true });
  const { params, start } = await applied(app);
  const { states } = await app.admin.call(keptStates.ofProject, {
    params: { project_id: params.project_id },
  });
  expect(states).toMatchObject([{ is: 'current', template_id: params.template_id, objects: 1 }]);
  expect(await logText(app.admin, await untilFinished(app.admin, await start()))).toContain(
    'No changes',
  );
});
