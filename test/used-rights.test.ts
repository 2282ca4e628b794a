// Every field of a body that names something which is used requires the right to use it.

import { expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { isRight } from '#shared/rights.ts';
import { fieldsIn } from '#shared/api/schema-fields.ts';

/** What only names something, with the reason. */
const named: Record<string, string> = {
  build_task_id: 'checked with the build template',
  object_id: 'the right to give access to it is checked by itself',
  user_id: 'members are given rights by roles',
  user_ids: 'an approval asks, it gives no right',
  runner_id: 'the runner that keeps a state, not one that runs something',
  integration_id: 'repeats the id in the path',
};

/** The launch itself needs the right to run; what comes with it is checked against the template. */
const launched = ['template_id', 'environment_id', 'repository_id'];

const isReference = (name = ''): boolean => /_ids?$|^runner_tags$/.test(name);

test('a body that names a key, an inventory or the like says which right that takes', () => {
  const seen = new Set<string>();
  const missing: string[] = [];
  for (const { name, endpoint } of endpoints) {
    if (!isRight(endpoint.permission) || endpoint.method === 'GET') continue;
    const fields = fieldsIn(endpoint.body).filter(({ path }) => isReference(path.at(-1)));
    const used = new Set(
      fields.filter(({ schema }) => schema.meta()?.['uses']).map(({ path }) => path.join('.')),
    );
    for (const path of new Set(fields.map((field) => field.path.join('.')))) {
      const last = path.split('.').at(-1) ?? '';
      if (used.has(path)) seen.add(last);
      else if (last in named) continue;
      else if (name === 'tasks.start' && launched.includes(last)) continue;
      else missing.push(`${name} ${path}`);
    }
  }
  expect(missing).toEqual([]);
  expect([...seen].toSorted()).toEqual([
    'auth_secret_id',
    'become_key_id',
    'build_template_id',
    'environment_id',
    'environment_ids',
    'execution_environment_id',
    'inventory_id',
    'registry_key_id',
    'repository_id',
    'runner_tags',
    'ssh_key_id',
    'status_key_id',
    'template_id',
    'template_ids',
    'vault_key_id',
    'view_id',
    'workflow_id',
    'workflow_ids',
  ]);
});
