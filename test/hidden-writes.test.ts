// What changes something reads more than its caller may see, and tells nothing of it.

import { expect, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints } from '#shared/api/index.ts';
import { testApp } from './helpers/app.ts';
import type { Ids } from './helpers/every-id.ts';
import { hiddenProject, mark } from './helpers/hidden-objects.ts';
import { samples } from './helpers/samples.ts';

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
