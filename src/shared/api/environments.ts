import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idParam, jsonEnvText, jsonObjectText, line } from './fields.ts';
import { sortedQuery } from './page.ts';
import { inProject } from './projects.ts';

export const environment = z.object({
  id,
  project_id: id,
  name: z.string(),
  /** Extra variables: the text of a JSON object. */
  json: z.string(),
  /** Variables of the process: the text of a JSON object of plain values. */
  env: z.string(),
});
export type Environment = z.output<typeof environment>;

export const newEnvironment = z.object({
  name: line(255, 'name.required'),
  json: jsonObjectText.default('{}'),
  env: jsonEnvText.nullish().transform((text) => text ?? '{}'),
});
export type NewEnvironment = z.output<typeof newEnvironment>;

const params = inProject.extend({ environment_id: idParam });

export const environments = {
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/environment',
    permission: 'member',
    summary: 'The environments of the project; their content is empty for guests',
    params: inProject,
    query: sortedQuery(['name']),
    reply: z.array(environment),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/environment',
    permission: 'manage_resources',
    summary: 'Add an environment',
    params: inProject,
    body: newEnvironment,
    reply: environment,
    status: 201,
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/environment/:environment_id',
    permission: 'member',
    summary: 'One environment; its content is empty for guests',
    params,
    reply: environment,
    versioned: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/project/:project_id/environment/:environment_id',
    permission: 'manage_resources',
    summary: 'Change an environment',
    params,
    body: newEnvironment,
    versioned: true,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/project/:project_id/environment/:environment_id',
    permission: 'manage_resources',
    summary: 'Delete an environment that nothing uses',
    params,
  }),
};
