// What changes something reads more than its caller may see, and tells nothing of it.

import { expect, test } from 'vitest';
import { restrictions } from '#shared/api/grants.ts';
import { integrations } from '#shared/api/integrations.ts';
import { pathOf } from '#shared/api/path.ts';
import { endpoints } from '#shared/api/index.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from './helpers/app.ts';
import type { Ids } from './helpers/every-id.ts';
import { hiddenProject, mark } from './helpers/hidden-objects.ts';
import { samples } from './helpers/samples.ts';
import { seedProject } from './helpers/seed.ts';

const writes = endpoints.filter(
  ({ endpoint }) =>
    endpoint.method !== 'GET' && endpoint.path.includes(':project_id') && !endpoint.webhook,
);

/** What is left of a project when others of it are gone, stands last. */
const inOrder = (list: typeof writes) => [
  ...list.filter(({ endpoint }) => endpoint.method !== 'DELETE'),
  ...list.filter(({ endpoint }) => endpoint.method === 'DELETE'),
];

test('no answer to a change names what is hidden', async () => {
  const app = await testApp();
  const project = await hiddenProject(app);
  const manager = await app.member(project.projectId, 'manager');
  const sets: Ids[] = [project.users, project.open];
  const named: string[] = [];
  for (const ids of sets) {
    const bodies = samples(ids);
    bodies['tasks.start'] = { template_id: ids['template_id'] };
    for (const { name, endpoint } of inOrder(writes)) {
      const url = pathOf(endpoint, { params: ids });
      const { statusCode, body, headers } = await manager.raw({
        method: endpoint.method,
        url,
        payload: bodies[name] ?? {},
      });
      expect([name, statusCode < 500]).toEqual([name, true]);
      const text = body + JSON.stringify(headers);
      if (text.includes(mark)) named.push(`${name} ${url} ${text}`);
    }
  }
  expect(named).toEqual([]);
});

test('no large id stands for one that is hidden', async () => {
  const app = await testApp();
  const { projectId, hidden } = await hiddenProject(app);
  const manager = await app.member(projectId, 'manager');
  const mirrored = (param: string) => 999_999_999_999_999 - Number(hidden[param]);
  for (const [url, body] of [
    ['tasks/bulk', { action: 'stop', ids: [mirrored('task_id')] }],
    ['templates/bulk', { action: 'delete', ids: [mirrored('template_id')] }],
    ['schedules/bulk', { action: 'delete', ids: [mirrored('schedule_id')] }],
  ] as const) {
    const path = `/api/project/${projectId}/${url}`;
    const answer = await manager.raw({ method: 'POST', url: path, payload: body });
    const results = answer.json<{ error: { code: string } | null }[]>();
    expect([url, results.map(({ error }) => error?.code)]).toEqual([
      url,
      [expect.stringMatching(/not_found$/)],
    ]);
  }
  const start = { template_id: mirrored('template_id') };
  const url = `/api/project/${projectId}/tasks`;
  expect((await manager.raw({ method: 'POST', url, payload: start })).statusCode).toBe(404);
});

test('an integration that starts nothing yet is there for whoever sees templates', async () => {
  const app = await testApp();
  const { projectId } = await hiddenProject(app);
  const params = { project_id: projectId };
  const { id } = await app.admin.call(integrations.create, { params, body: { name: 'Bare' } });
  const at = { params: { ...params, integration_id: id } };
  const manager = await app.member(projectId, 'manager');
  expect((await manager.ask(integrations.one, at)).status).toBe(200);
  const names = (await manager.call(integrations.list, { params })).map(({ name }) => name);
  expect(names).toContain('Bare');
});

test('a repository is read with a key that its reader does not see', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin);
  const params = { project_id: seed.projectId };
  const owner = await app.member(seed.projectId, 'owner');
  const manager = await app.member(seed.projectId, 'manager');
  const key = { object_type: 'key' as const, object_id: seed.keyId, mode: 'hidden' as const };
  await owner.call(restrictions.set, { params, body: key });
  const at = { params: { ...params, repository_id: seed.repositoryId } };
  expect(await manager.call(repositories.branchesOf, at)).toEqual(['main']);
  const files = await manager.call(repositories.files, at);
  expect([...files.playbooks, ...files.others]).toEqual(['play.yml']);
});
