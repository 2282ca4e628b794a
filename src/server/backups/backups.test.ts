import { describe, expect, test } from 'vitest';
import { alertChannel } from '#shared/api/alert-channels.ts';
import { backup, backups, type Backup } from '#shared/api/backups.ts';
import { environment } from '#shared/api/environments.ts';
import { events } from '#shared/api/events.ts';
import { executionEnvironment } from '#shared/api/execution-environments.ts';
import { integration } from '#shared/api/integrations.ts';
import { inventory } from '#shared/api/inventories.ts';
import { extractValue, matcher } from '#shared/api/matchers.ts';
import { project, projects } from '#shared/api/projects.ts';
import { repository } from '#shared/api/repositories.ts';
import { schedule } from '#shared/api/schedules.ts';
import { template } from '#shared/api/templates.ts';
import { workflow } from '#shared/api/workflows.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { view } from '#shared/api/views.ts';
import { shownNode } from '#shared/workflows/shown-graph.ts';
import { testApp } from '../../../test/helpers/app.ts';
import { fullProject, secrets } from '../../../test/helpers/full-project.ts';
import { seedProject } from '../../../test/helpers/seed.ts';

const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

describe('a backup', () => {
  test('makes the same project again', async () => {
    const app = await testApp();
    const owner = await app.user('owner', { admin: true });
    const { params } = await fullProject(owner);
    const first = await owner.call(backups.read, { params });
    await owner.call(projects.remove, { params });
    const made = await owner.call(backups.restore, { body: first });
    expect(made.id).not.toBe(params.project_id);
    expect(made).toMatchObject({ name: 'Everything', alert_chat: '-100', notes: [] });
    const again = { params: { project_id: made.id } };
    const second = await owner.call(backups.read, again);
    expect(second).toEqual(first);
    expect(await owner.call(projects.role, again)).toEqual({ role: 'owner', permissions: 15 });
    const recorded = await owner.call(events.ofProject, again);
    const codes = recorded.map(({ code }) => code);
    expect(codes.slice(0, 2)).toEqual(['project.backed_up', 'project.restored']);
    expect(recorded[1]).toMatchObject({ username: 'owner', object_name: 'Everything' });
    expect(made.new_aliases).toEqual([]);
    expect(names(made.empty_keys)).toEqual(['A login', 'An ssh key']);
    expect(made.empty_secrets.map(({ environment: of, type, name }) => [of, type, name])).toEqual([
      ['Variables', 'var', 'token'],
      ['Variables', 'env', 'API_KEY'],
    ]);
    expect(names(made.alert_channels)).toEqual(['All', 'Chat']);
  });

  test('holds no secret, and is sorted by name', async () => {
    const app = await testApp();
    const { params, aliases } = await fullProject(app.admin);
    const { status, body, headers } = await app.admin.ask(backups.read, { params });
    expect(status).toBe(200);
    const name = `backup_${params.project_id}_\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.json`;
    expect(headers['content-disposition']).toMatch(new RegExp(`^attachment; filename="${name}"$`));
    const text = JSON.stringify(body);
    for (const secret of secrets) expect(text).not.toContain(secret);
    for (const alias of aliases) expect(text).toContain(alias);
    expect(names(body.keys)).toEqual(['A login', 'An ssh key', 'No key', 'None']);
    expect(body.views).toEqual([
      { title: 'A third', position: 3 },
      { title: 'First', position: 7 },
      { title: 'Second', position: 1 },
    ]);
    expect(body.templates.find((one) => one.name === 'A deploy of a deploy')).toMatchObject({
      type: 'deploy',
      build_template: 'Deploy',
      repository: 'Code',
    });
    expect(body.alert_channels[1]?.templates).toEqual(['Template 0', 'Template 1', 'Z build']);
    expect(text).not.toMatch(/"(?:\w+_)?ids?":/);
  });
});

/** The fields of a schema that a section does not contain under their own names. */
const leftOut = (schema: { shape: object }, section: { shape: object }): string[] =>
  Object.keys(schema.shape).filter((name) => !(name in section.shape));

test('every field of every noun is in a backup, or named here', () => {
  const { shape } = backup;
  const own = ['id', 'project_id'];
  const rule = ['id', 'integration_id'];
  const ofIntegrations = shape.integrations.element.shape;
  expect(leftOut(project, shape.meta)).toEqual(['id', 'created', 'execution_environment_id']);
  expect(leftOut(environment, shape.environments.element)).toEqual([...own, 'password']);
  expect(leftOut(repository, shape.repositories.element)).toEqual([
    ...own,
    'ssh_key_id',
    'status_key_id',
  ]);
  expect(leftOut(executionEnvironment, shape.execution_environments.element)).toEqual([
    ...own,
    'registry_key_id',
    'unavailable',
  ]);
  expect(leftOut(view, shape.views.element)).toEqual(own);
  expect(leftOut(matcher, ofIntegrations.matchers.element)).toEqual(rule);
  expect(leftOut(extractValue, ofIntegrations.extract_values.element)).toEqual(rule);
  expect(leftOut(inventory, shape.inventories.element)).toEqual([
    ...own,
    'ssh_key_id',
    'become_key_id',
    'repository_id',
    'holder_id',
  ]);
  expect(leftOut(template, shape.templates.element)).toEqual([
    ...own,
    'inventory_id',
    'repository_id',
    'environment_id',
    'environment_ids',
    'view_id',
    'execution_environment_id',
    'build_template_id',
    'vault_key_id',
    'tasks',
    'last_task',
    'last_task_id',
  ]);
  expect(leftOut(workflow, shape.workflows.element)).toEqual([...own, 'view_id', 'last_run']);
  const ofNodes = backup.shape.workflows.element.shape.graph.shape.nodes.element.options;
  const leftOutOfNodes = shownNode.options.map((option, index) =>
    leftOut(option, ofNodes[index] ?? option),
  );
  expect(leftOutOfNodes).toEqual([['template_id'], ['user_ids'], [], ['workflow_id']]);
  expect(leftOut(schedule, shape.schedules.element)).toEqual([
    ...own,
    'template_id',
    'tpl_name',
    'workflow_id',
    'workflow_name',
    'repository_id',
    'next_due',
    'last_fire',
  ]);
  const ofIntegration = [...own, 'template_id', 'workflow_id', 'auth_secret_id'];
  expect(leftOut(integration, shape.integrations.element)).toEqual(ofIntegration);
  expect(leftOut(alertChannel, shape.alert_channels.element)).toEqual([
    ...own,
    'template_ids',
    'workflow_ids',
    'addresses',
    'chat',
    'host',
    'has_secret',
    'available',
  ]);
});

test('no field of the full project has the same value everywhere', async () => {
  const app = await testApp();
  const { params } = await fullProject(app.admin);
  const document: Backup = await app.admin.call(backups.read, { params });
  for (const section of [
    'templates',
    'workflows',
    'schedules',
    'integrations',
    'alert_channels',
  ] as const) {
    const list: Record<string, unknown>[] = document[section];
    const dull = Object.keys(list[0] ?? {}).filter(
      (field) => new Set(list.map((one) => JSON.stringify(one[field]))).size < 2,
    );
    // Both belong to that repository.
    expect([section, dull]).toEqual([section, section === 'templates' ? ['repository'] : []]);
  }
});

test('only those who may change the project make one, and tokens that may do everything', async () => {
  const app = await testApp();
  const { projectId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  for (const role of ['guest', 'task_runner', 'manager'] as const) {
    const { status, body } = await (
      await app.member(projectId, role)
    ).ask(backups.read, { params });
    expect([role, status, body.code]).toEqual([role, 403, 'permission.denied']);
  }
  const owner = await app.member(projectId, 'owner');
  const codes: unknown[] = [];
  for (const scope of ['read', 'run', 'all'] as const) {
    const { token } = await owner.call(tokens.create, { body: newToken.parse({ scope }) });
    codes.push((await app.withToken(token).ask(backups.read, { params })).status);
  }
  expect(codes).toEqual([403, 403, 200]);
  const document = await owner.call(backups.read, { params });
  const { status, body } = await owner.ask(backups.restore, { body: document });
  expect([status, body.code]).toEqual([403, 'permission.create_project']);
});
