// A project whose templates a test creates, reads and changes.

import { templates } from '#shared/api/templates.ts';
import { type Engine } from './app.ts';
import { appWithProject } from './app-with-project.ts';

export async function startTemplates(engine?: Engine) {
  const { app, seed, params } = await appWithProject(null, engine ? { engine } : {});
  const body = {
    name: 'Deploy',
    playbook: 'site.yml',
    inventory_id: seed.inventoryId,
    repository_id: seed.repositoryId,
    environment_id: seed.environmentId,
  };
  const create = (fields: object) =>
    app.admin.ask(templates.create, { params, body: { ...body, ...fields } });
  const one = (id: number) =>
    app.admin.call(templates.one, { params: { ...params, template_id: id } });
  const update = (id: number, fields: object) =>
    app.admin.ask(templates.update, {
      params: { ...params, template_id: id },
      body: { ...body, ...fields },
    });
  return { app, seed, params, create, one, update };
}
