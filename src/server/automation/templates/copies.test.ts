import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { keys } from '#shared/api/keys.ts';
import { newTemplate, templates, type NewTemplate, type Template } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { anyTemplate } from '../../../../test/helpers/any-template.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { fixedSeed } from '../../../../test/helpers/random.ts';

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const body = { name: 'Other', type: 'none' as const };
  const key = await app.admin.call(keys.create, { params, body });
  const view = await app.admin.call(views.create, { params, body: { title: 'View' } });
  const build = await seed.template({ name: 'Build', type: 'build', start_version: '1' });
  const further: number[] = [];
  for (const name of ['Second', 'Third']) {
    further.push((await app.admin.call(environments.create, { params, body: { name } })).id);
  }
  const any = anyTemplate({
    keys: [seed.keyId, key.id],
    inventory: seed.inventoryId,
    repository: seed.repositoryId,
    environment: seed.environmentId,
    further,
    view: view.id,
    build: build.id,
  });
  return { app, params, view, any };
}

const otherFields = new Set([
  'id',
  'project_id',
  'name',
  'tasks',
  'last_task',
  'last_task_id',
  // These are other forms of the same values.
  'runner_tag',
  'task_params',
]);

/** The fields of a template that people set, without its name. */
function settings(template: Template): Omit<NewTemplate, 'name'> {
  const vaults = template.vaults.map(({ type, vault_key_id, script, name }) => ({
    type,
    vault_key_id,
    script,
    name,
  }));
  const entries = Object.entries({ ...template, vaults });
  const set: object = Object.fromEntries(entries.filter(([name]) => !otherFields.has(name)));
  return set as Omit<NewTemplate, 'name'>;
}

test('lists and copies have every value of a template', async () => {
  const { app, params, view, any } = await start();
  let count = 0;
  const create = async (body: Omit<NewTemplate, 'name'>): Promise<Template> => {
    count += 1;
    // The body of a form: all values, and no id.
    const named = { ...body, id: 0, name: `Template ${count}` };
    const { id } = await app.admin.call(templates.create, { params, body: named });
    return app.admin.call(templates.one, { params: { ...params, template_id: id } });
  };
  const holds = fc.asyncProperty(any, async (body) => {
    const made = await create(body);
    expect(settings(made)).toEqual(body);

    const all = await app.admin.call(templates.list, { params });
    expect(all.find(({ id }) => id === made.id)).toEqual(made);
    const inView = await app.admin.call(templates.ofView, {
      params: { ...params, view_id: view.id },
    });
    expect(inView.find(({ id }) => id === made.id)).toEqual(body.view_id ? made : undefined);

    const copied = await create(made);
    expect(copied.id).not.toBe(made.id);
    expect(settings(copied)).toEqual(body);
  });
  await fc.assert(holds, { numRuns: 25, seed: fixedSeed });
}, 120_000);

test('the fields that are tried are all that a template has', () => {
  const ids = {
    keys: [1],
    inventory: 1,
    repository: 1,
    environment: 1,
    further: [],
    view: 1,
    build: 1,
  };
  const [tried] = fc.sample(anyTemplate(ids), { numRuns: 1, seed: fixedSeed });
  const known = Object.keys(newTemplate.shape).filter((name) => name !== 'name');
  expect(Object.keys(tried ?? {}).toSorted()).toEqual(known.toSorted());
});
