import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type Caller, type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { folder, seedProject } from '../../../../test/helpers/seed.ts';
import { launch, logText, untilFinished } from '../../../../test/helpers/tasks.ts';

const listed = async (caller: Caller, id: string) =>
  (await caller.call(apps.list, {})).find((app) => app.id === id);

const save = (app: TestApp, id: string, body: object) =>
  app.admin.call(apps.update, { params: { app_id: id }, body });

describe('apps', () => {
  test('are built in, can be changed, and are as at first when they are removed', async () => {
    const app = await testApp();
    const first = await app.admin.call(apps.list, {});
    expect(first.map(({ id }) => id)).toEqual([
      'ansible',
      'terraform',
      'tofu',
      'bash',
      'powershell',
      'python',
    ]);
    await save(app, 'bash', { title: 'Shell', priority: 2000, path: '/bin/sh', args: ['-e'] });
    const [shell] = await app.admin.call(apps.list, {});
    expect(shell).toMatchObject({
      id: 'bash',
      title: 'Shell',
      path: '/bin/sh',
      args: ['-e'],
      built_in: true,
      available: true,
      icon: 'bash',
    });
    await app.admin.call(apps.switch, { params: { app_id: 'bash' }, body: { active: false } });
    await save(app, 'bash', { title: 'Shell' });
    expect(await listed(app.admin, 'bash')).toMatchObject({ active: false });
    await app.admin.call(apps.remove, { params: { app_id: 'bash' } });
    expect(await listed(app.admin, 'bash')).toMatchObject({ title: 'Bash', path: 'bash' });
  });

  test('are added, switched off and removed, but not while a template uses them', async () => {
    const app = await testApp();
    const params = { app_id: 'make' };
    expect((await app.admin.ask(apps.one, { params })).body.code).toBe('app.not_found');
    const off = { params, body: { active: false } };
    expect((await app.admin.ask(apps.switch, off)).body.code).toBe('app.not_found');
    expect((await app.admin.ask(apps.remove, { params })).body.code).toBe('app.not_found');
    await app.admin.call(apps.create, { params, body: { title: 'Make' } });
    expect(await app.admin.call(apps.one, { params })).toMatchObject({ kind: 'script' });
    const seed = await seedProject(app.admin, null);
    const template = await seed.template({ app: 'make', playbook: 'Makefile' });
    const used = await app.admin.ask(apps.remove, { params });
    expect([used.status, used.body.code, used.body.inUse]).toEqual([400, 'app.in_use', true]);
    expect(used.body.error).toContain(`template "${template.name}"`);
    await app.admin.call(apps.switch, off);
    const body = { template_id: template.id };
    const refused = await app.admin.ask(tasks.start, {
      params: { project_id: seed.projectId },
      body,
    });
    expect([refused.status, refused.body.code]).toEqual([409, 'template.app_inactive']);
    const place = { project_id: seed.projectId, template_id: template.id };
    await app.admin.call(templates.remove, { params: place });
    await app.admin.call(apps.remove, { params });
    expect(await listed(app.admin, 'make')).toBe(undefined);
  });
});

test('people see which apps there are; only administrators see what they start', async () => {
  const app = await testApp();
  const user = await app.user('anna');
  await save(app, 'bash', { path: '/opt/secret place/bash', args: ['-x'] });
  expect(await listed(user, 'bash')).toMatchObject({ path: '', args: [], available: false });
  expect(await listed(app.admin, 'bash')).toMatchObject({ path: '/opt/secret place/bash' });
});

test.each(['-rf', 'bin/tool', 'tool; rm', 'a b', '$(id)'])(
  'a program is a name or an absolute path, not %j',
  async (path) => {
    const app = await testApp();
    const { status, body } = await app.admin.ask(apps.update, {
      params: { app_id: 'tool' },
      body: { path },
    });
    expect([status, body.fields?.map((field) => field.code)]).toEqual([400, ['app.path']]);
  },
);

test('a template of an app that does not exist is refused', async () => {
  const { app, seed } = await appWithProject(null);
  const { status, body } = await app.admin.ask(templates.create, {
    params: { project_id: seed.projectId },
    body: {
      name: 'Wrong',
      app: 'fortran',
      playbook: 'main.f',
      repository_id: seed.repositoryId,
    },
  });
  expect([status, body.fields]).toMatchObject([
    400,
    [{ path: 'app', code: 'template.app_unknown' }],
  ]);
});

test('an app whose program is missing is shown as such and cannot be launched', async () => {
  const app = await testApp();
  await save(app, 'gone', { path: '/nowhere/gone' });
  expect(await listed(app.admin, 'gone')).toMatchObject({ available: false });
  const seed = await seedProject(app.admin, null);
  const template = await seed.template({ app: 'gone' });
  const answer = await app.admin.ask(tasks.start, {
    params: { project_id: seed.projectId },
    body: { template_id: template.id },
  });
  expect([answer.status, answer.body.code, answer.body.params]).toEqual([
    409,
    'template.app_unavailable',
    { program: '/nowhere/gone' },
  ]);
});

test('a program that an administrator adds runs with its arguments, the file and the variables', async () => {
  const app = await testApp({ runner: true });
  const program = join(await folder(), 'tool');
  await writeFile(program, '#!/bin/sh\nfor a; do echo "given: $a"; done\n');
  await chmod(program, 0o755);
  await save(app, 'tool', { path: program, args: ['--apply', '-f'] });
  const seed = await seedProject(app.admin, { 'things.yml': 'a: 1\n' });
  const template = await seed.template({
    app: 'tool',
    playbook: 'things.yml',
    arguments: '["--fast"]',
  });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  const given = (await logText(app.admin, task)).match(/(?<=given: ).*/g);
  expect(given).toEqual(['--apply', '-f', 'things.yml', '--fast']);
});
