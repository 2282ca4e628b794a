// A body that names an id of another project is refused, and nothing is written.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#shared/api/index.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { ask, type Body } from './helpers/resources.ts';
import { bodies, everything, type Ids, type Named } from './helpers/named-ids.ts';

// What is started is either a template or a workflow, which takes no options.
const noTemplate: Body = { template_id: null, task_params: null };

const cases: [noun: string, field: string, names: Named, code: string, others?: Body][] = [
  ['repositories', 'ssh_key_id', 'key', 'field.reference'],
  ['repositories', 'status_key_id', 'login', 'field.reference'],
  ['hostConfigs', 'ssh_key_id', 'login', 'field.reference'],
  ['executionEnvironments', 'registry_key_id', 'login', 'field.reference'],
  ['projects', 'execution_environment_id', 'execution', 'field.reference'],
  ['inventories', 'ssh_key_id', 'key', 'field.reference'],
  ['inventories', 'become_key_id', 'key', 'field.reference'],
  ['inventories', 'repository_id', 'repository', 'field.reference'],
  ['environments', 'secrets.0.id', 'secret', 'field.reference'],
  ['templates', 'inventory_id', 'inventory', 'field.reference'],
  ['templates', 'repository_id', 'repository', 'field.reference'],
  ['templates', 'environment_id', 'environment', 'field.reference'],
  ['templates', 'environment_ids.1', 'further', 'field.reference'],
  ['templates', 'view_id', 'view', 'field.reference'],
  ['templates', 'execution_environment_id', 'execution', 'field.reference'],
  ['templates', 'build_template_id', 'build', 'template.build_template_wrong'],
  ['templates', 'vault_key_id', 'key', 'field.reference'],
  ['templates', 'vaults.1.vault_key_id', 'key', 'field.reference'],
  ['workflows', 'view_id', 'view', 'field.reference'],
  ['workflows', 'graph.nodes.1.template_id', 'build', 'workflow.template_unknown'],
  ['workflows', 'graph.nodes.0.params.inventory_id', 'inventory', 'field.reference'],
  ['workflows', 'graph.nodes.0.params.execution_environment_id', 'execution', 'field.reference'],
  ['workflows', 'graph.nodes.2.workflow_id', 'nested', 'workflow.workflow_unknown'],
  ['integrations', 'template_id', 'build', 'field.reference'],
  ['integrations', 'workflow_id', 'workflow', 'field.reference', noTemplate],
  ['integrations', 'auth_secret_id', 'key', 'field.reference'],
  ['integrations', 'task_params.inventory_id', 'inventory', 'field.reference'],
  ['integrations', 'task_params.execution_environment_id', 'execution', 'field.reference'],
  ['schedules', 'template_id', 'build', 'field.reference'],
  ['schedules', 'workflow_id', 'workflow', 'field.reference', noTemplate],
  ['schedules', 'repository_id', 'repository', 'field.reference'],
  ['schedules', 'task_params.inventory_id', 'inventory', 'field.reference'],
  ['schedules', 'task_params.execution_environment_id', 'execution', 'field.reference'],
  ['alertChannels', 'template_ids.1', 'deploy', 'field.reference'],
  ['alertChannels', 'workflow_ids.0', 'workflow', 'field.reference'],
  ['tasks', 'template_id', 'deploy', 'template.not_found'],
  ['tasks', 'inventory_id', 'inventory', 'field.reference'],
  ['tasks', 'execution_environment_id', 'execution', 'field.reference'],
  ['tasks', 'build_task_id', 'task', 'task.build_wrong'],
];

/** The endpoints of a noun that take its body, and how to call them. */
const writers: Record<string, Record<string, (ids: Ids) => Body>> = {
  repositories: { create: () => ({}), update: ({ repository: id }) => ({ repository_id: id }) },
  hostConfigs: { create: () => ({}), update: ({ hostConfig: id }) => ({ host_config_id: id }) },
  executionEnvironments: {
    create: () => ({}),
    update: ({ execution: id }) => ({ execution_environment_id: id }),
  },
  projects: { update: () => ({}) },
  inventories: { create: () => ({}), update: ({ inventory: id }) => ({ inventory_id: id }) },
  environments: { update: ({ environment: id }) => ({ environment_id: id }) },
  templates: { create: () => ({}), update: ({ deploy: id }) => ({ template_id: id }) },
  workflows: { create: () => ({}), update: ({ workflow: id }) => ({ workflow_id: id }) },
  integrations: { create: () => ({}), update: ({ integration: id }) => ({ integration_id: id }) },
  schedules: { create: () => ({}), update: ({ schedule: id }) => ({ schedule_id: id }) },
  alertChannels: { create: () => ({}), update: ({ channel: id }) => ({ alert_channel_id: id }) },
  tasks: { start: () => ({}) },
  views: { place: () => ({}) },
};

const all = Object.fromEntries(endpoints.map(({ name, endpoint }) => [name, endpoint]));

async function write(app: TestApp, name: string, ids: Ids, body: Body) {
  const [noun = '', verb = ''] = name.split('.');
  const endpoint = all[name];
  if (!endpoint) throw new Error(`there is no ${name}`);
  return ask(app.admin, endpoint, {
    params: { ...ids.params, ...writers[noun]?.[verb]?.(ids) },
    body,
  });
}

function withField(body: Body, path: string, value: unknown): Body {
  const changed = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const target = names.reduce((at, name) => at[name] as Body, changed);
  target[last] = value;
  // Both fields name the first environment.
  if (path === 'environment_id') delete changed['environment_ids'];
  return changed;
}

async function rows({ ctx: { db } }: TestApp): Promise<unknown> {
  const tables = [
    'keys',
    'repositories',
    'projects',
    'execution_environments',
    'inventories',
    'environments',
    'environment_secrets',
    'views',
    'templates',
    'integrations',
    'template_vaults',
    'template_vault_scripts',
    'schedules',
    'tasks',
    'alert_channels',
    'workflows',
    'workflow_uses',
  ] as const;
  const read = tables.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute());
  const named = db.selectFrom('alert_channel_templates').selectAll().orderBy('template_id');
  const flows = db.selectFrom('alert_channel_workflows').selectAll().orderBy('workflow_id');
  const further = db.selectFrom('template_environments').selectAll().orderBy('template_id');
  return Promise.all([...read, named.execute(), flows.execute(), further.execute()]);
}

test('no body brings in an id of another project, or of nothing', async () => {
  const app = await testApp();
  const [ours, theirs] = [await everything(app), await everything(app)];
  const before = await rows(app);
  for (const [noun, field, named, code, others] of cases) {
    for (const verb of Object.keys(writers[noun] ?? {})) {
      for (const id of [theirs[named], 999_999, 999_999_999_999_999]) {
        const body = withField({ ...bodies[noun]?.(ours), ...others }, field, id);
        const answer = await write(app, `${noun}.${verb}`, ours, body);
        const found = answer.body.fields?.map((one) => [one.path, one.code]);
        const wanted = code.endsWith('.not_found') ? undefined : [[field, code]];
        const status = wanted ? 400 : 404;
        const about = `${noun}.${verb} ${field} ${id}`;
        expect([about, answer.status, found]).toEqual([about, status, wanted]);
        expect(answer.body.code).toBe(wanted ? 'request.invalid' : code);
      }
    }
  }
  for (const id of [theirs.view, 999_999, 999_999_999_999_999]) {
    const answer = await write(app, 'views.place', ours, { [ours.view]: 3, [id]: 4 });
    expect(answer.body.fields).toMatchObject([{ path: String(id), code: 'field.reference' }]);
  }
  expect(await rows(app)).toEqual(before);
});

const bulkCases = [
  ['inventory_id', 'inventory'],
  ['view_id', 'view'],
] as const;

test('no change of many templates brings in an id of another project, or of nothing', async () => {
  const app = await testApp();
  const [ours, theirs] = [await everything(app), await everything(app)];
  const before = await rows(app);
  const { params, build, deploy } = ours;
  for (const [field, named] of bulkCases) {
    for (const id of [theirs[named], 999_999, 999_999_999_999_999]) {
      const body = { action: 'change' as const, ids: [build, deploy], values: { [field]: id } };
      const results = await app.admin.call(templates.bulk, { params, body });
      const found = results.map(({ ok, error }) => [ok, error?.fields.map(({ path }) => path)]);
      expect([field, id, found]).toEqual([
        field,
        id,
        [
          [false, [field]],
          [false, [field]],
        ],
      ]);
    }
  }
  expect(await rows(app)).toEqual(before);
});

test('the same bodies with ids of their own project are accepted', async () => {
  const app = await testApp();
  for (const [noun, verbs] of Object.entries(writers)) {
    for (const verb of Object.keys(verbs)) {
      const ids = await everything(app);
      const { status } = await write(app, `${noun}.${verb}`, ids, bodies[noun]?.(ids) ?? {});
      expect([noun, verb, status]).toEqual([noun, verb, status < 300 ? status : 'accepted']);
    }
  }
});

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

/** The paths of the fields that are ids, with a 0 for each list. */
function idsOf(schema: JsonSchema, at: string[] = []): string[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isId = name.endsWith('_id') || (name === 'id' && at.length > 0);
    if (name.endsWith('_ids')) return [[...at, name, '0'].join('.')];
    return isId ? [[...at, name].join('.')] : idsOf(field, [...at, name]);
  });
  const list = schema.items ? idsOf(schema.items, [...at, '0']) : [];
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...inner, ...list, ...choices.flatMap((one) => idsOf(one, at))];
}

test('the table names every id of every body', () => {
  const known = new Set(
    cases.map(([noun, field]) => `${noun} ${field.replace(/\.\d+(?=\.|$)/g, '.0')}`),
  );
  const inProject = endpoints.filter(({ endpoint }) => endpoint.path.includes(':project_id'));
  const found = inProject.flatMap(({ noun, endpoint }) => {
    const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' });
    // An id of the path that the body repeats must be equal to it, otherwise the body is refused.
    const isRepeated = (field: string): boolean => endpoint.path.includes(`/:${field}`);
    return idsOf(schema as JsonSchema)
      .filter((field) => !isRepeated(field))
      .map((field) => `${noun} ${field}`);
  });
  // Users belong to no project.
  known.add('members user_id');
  // Refused with `grant.object_missing`: grants.test.ts sends those of other projects.
  for (const field of ['grants object_id', 'restrictions object_id']) known.add(field);
  known.add('grants user_id');
  // A launch accepts those of its template only: test/compat/programs.test.ts sends others.
  known.add('tasks repository_id');
  known.add('tasks environment_id');
  // A runner of another project is as unknown as one that is not there.
  known.add('keptStates runner_id');
  known.add('workflows graph.nodes.0.user_ids.0');
  for (const [field] of bulkCases) known.add(`templates values.${field}`);
  expect([...new Set(found)].toSorted()).toEqual([...known].toSorted());
});
