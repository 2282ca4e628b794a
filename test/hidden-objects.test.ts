// An object that somebody may not see is not there by any road.
// Also on PostgreSQL: names of common table expressions hide those of tables there by other rules.

import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/path.ts';
import { endpoints } from '#shared/api/index.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { grants } from '#shared/api/grants.ts';
import { type Caller, testApp, type TestApp } from './helpers/app.ts';
import type { Ids } from './helpers/every-id.ts';
import { hiddenProject, type HiddenProject } from './helpers/hidden-objects.ts';
import { namesIn, readAll, withRole } from './helpers/hidden-reads.ts';
import { samples } from './helpers/samples.ts';

async function peopleOf(app: TestApp, project: HiddenProject): Promise<[string, Caller][]> {
  const at = { params: { project_id: project.projectId } };
  const body = { name: 'Nothing', rights: [] };
  const { slug } = await app.admin.call(projectRoles.create, { ...at, body });
  const granted = await withRole(app, project, slug);
  await app.admin.call(grants.create, {
    ...at,
    body: {
      user_id: granted.userId,
      object_type: 'template',
      object_id: Number(project.users['template_id']),
      role: 'owner',
    },
  });
  return [
    ['manager', await app.member(project.projectId, 'manager')],
    ['guest', await app.member(project.projectId, 'guest')],
    ['without rights', await withRole(app, project, slug)],
    ['with one grant', granted],
  ];
}

test('no answer names what is hidden, and owners read all of it', async () => {
  const app = await testApp();
  const project = await hiddenProject(app);
  const all = [project.open, project.hidden, project.users];
  const owner = await app.member(project.projectId, 'owner');
  const shown = namesIn(await readAll(owner, all)).map((line) => line.split(' ')[0]);
  expect(new Set(shown).size).toBeGreaterThan(40);
  expect(shown).toContain('tasks.changes');
  expect(shown).toContain('hostKeys.list');
  for (const [who, caller] of await peopleOf(app, project)) {
    expect([who, namesIn(await readAll(caller, all))]).toEqual([who, []]);
  }
});

/** The params of a path of which the hidden project has another value. */
const hiddenIn = ({ path }: Endpoint, { open, hidden }: HiddenProject): string[] =>
  [...path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => hidden[name] !== open[name]);

test('the address of something hidden answers as if it did not exist', async () => {
  const app = await testApp();
  const project = await hiddenProject(app);
  const bodies = samples(project.open);
  const ask = async (caller: Caller, { name, endpoint }: (typeof endpoints)[number], ids: Ids) => {
    const payload = endpoint.method === 'GET' ? undefined : (bodies[name] ?? {});
    const url = pathOf(endpoint, { params: ids });
    const answer = await caller.raw({ method: endpoint.method, url, ...(payload && { payload }) });
    return [answer.statusCode, answer.body.replace(/"request_id":"[^"]*"/, '')];
  };
  let asked = 0;
  for (const [who, caller] of await peopleOf(app, project)) {
    for (const named of endpoints) {
      const params = hiddenIn(named.endpoint, project);
      if (params.length === 0 || !named.endpoint.path.includes(':project_id')) continue;
      const missing = Object.fromEntries(params.map((param) => [param, 987_654]));
      const hidden = await ask(caller, named, project.hidden);
      const none = await ask(caller, named, { ...project.open, ...missing });
      expect([who, named.name, hidden]).toEqual([who, named.name, none]);
      expect([who, named.name, hidden[0]]).toSatisfy(([, , status]) => [403, 404].includes(status));
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(300);
});

/** The kinds of things that fields of bodies name. */
const namedBy: [RegExp, string][] = [
  [/key_id$|auth_secret_id$/, 'key_id'],
  [/repository_id$/, 'repository_id'],
  [/inventory_id$/, 'inventory_id'],
  [/execution_environment_id$/, 'execution_environment_id'],
  [/environment_ids?$/, 'environment_id'],
  [/template_ids?$/, 'template_id'],
  [/workflow_ids?$/, 'workflow_id'],
  [/view_id$/, 'view_id'],
  [/build_task_id$/, 'task_id'],
];

type Json = Record<string, unknown>;

/** The body with another id in one of its fields, for each field that names something. */
function changedBodies(body: unknown, put: (param: string) => number): [string, unknown][] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([field, value]): [string, unknown][] => {
    const param = namedBy.find(([pattern]) => pattern.test(field))?.[1];
    const withValue = (one: unknown): unknown =>
      Array.isArray(body)
        ? body.map((item: unknown, index) => (String(index) === field ? one : item))
        : { ...(body as Json), [field]: one };
    if (param && !(typeof value === 'object' && value !== null && !Array.isArray(value))) {
      return [[field, withValue(Array.isArray(value) ? [put(param)] : put(param))]];
    }
    return changedBodies(value, put).map(([path, one]) => [`${field}.${path}`, withValue(one)]);
  });
}

test('a body that names something hidden is refused as if it did not exist', async () => {
  const app = await testApp();
  const project = await hiddenProject(app);
  const { open, hidden } = project;
  const bodies = samples(open);
  // Without it, nothing of a launch could be chosen.
  bodies['tasks.start'] = {
    template_id: project.users['template_id'],
    inventory_id: open['inventory_id'],
  };
  const deploy = { type: 'deploy', view_id: open['view_id'], build_template_id: 1 };
  bodies['templates.create'] = { ...bodies['templates.create'], ...deploy };
  const manager = await app.member(project.projectId, 'manager');
  let asked = 0;
  for (const { name, endpoint } of endpoints) {
    const isWrite = endpoint.method === 'POST' || endpoint.method === 'PUT';
    if (!isWrite || !endpoint.path.includes(':project_id')) continue;
    const ask = async (payload: unknown) => {
      const url = pathOf(endpoint, { params: open });
      const answer = await manager.raw({
        method: endpoint.method,
        url,
        payload: payload as object,
      });
      return [answer.statusCode, answer.body.replace(/"request_id":"[^"]*"/, '')];
    };
    const given = changedBodies(bodies[name], (param) => Number(hidden[param]));
    const missing = changedBodies(bodies[name], () => 987_654);
    for (const [index, [field, body]] of given.entries()) {
      const none = await ask(missing[index]?.[1]);
      expect([name, field, await ask(body)]).toEqual([name, field, none]);
      expect([name, field, Number(none[0]) >= 400]).toEqual([name, field, true]);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(30);
  const ids = {
    template_id: [hidden['template_id'], 987_654],
    task_id: [hidden['task_id'], 987_654],
  };
  for (const [url, body] of [
    ['templates/bulk/run', { ids: ids.template_id }],
    ['templates/bulk', { ids: ids.template_id, action: 'delete' }],
    ['tasks/bulk', { ids: ids.task_id, action: 'stop' }],
    ['tasks/bulk', { ids: ids.task_id, action: 'restart' }],
    ['schedules/bulk', { ids: [hidden['schedule_id'], 987_654], action: 'delete' }],
  ] as const) {
    const path = `/api/project/${project.projectId}/${url}`;
    const answer = await manager.raw({ method: 'POST', url: path, payload: body });
    expect([url, answer.statusCode, answer.body]).toEqual([url, 200, expect.stringMatching(/^\[/)]);
    const results = answer.json<{ id: number; error: { code: string } | null }[]>();
    const refused = new Map(results.map(({ id, error }) => [id, error?.code]));
    expect([url, refused.get(Number(body.ids[0]))]).toEqual([url, refused.get(987_654)]);
    expect([url, refused.get(987_654)]).toEqual([url, expect.stringMatching(/not_found$/)]);
  }
});
