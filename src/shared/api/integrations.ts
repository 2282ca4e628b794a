import { z } from 'zod';
import { crossCheck } from '../cross-check.ts';
import { withCompatFields } from '../compatible/forms.ts';
import { showTaskParams, shownTaskParams, taskParamsForms } from '../compatible/task-params.ts';
import { authMethodInputs } from '../webhooks/auth-methods.ts';
import { endpoint } from './endpoint.ts';
import { id, initially, line, optionalId, optionalLine, secret, using } from '../fields.ts';
import { sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { checkTarget, startsQuery, startsSentence } from './starts.ts';
import { narrowing, newTaskParams, taskParams } from '../launch.ts';

/** Launches a template or a workflow for requests to its addresses. */
export const integration = z.object({
  id,
  project_id: id,
  name: z.string(),
  /** What it launches: a template, a workflow, or nothing yet. */
  template_id: id.nullable(),
  workflow_id: id.nullable(),
  auth_method: z.enum(authMethodInputs),
  /** The header of the methods `token` and `hmac`; empty: the default. */
  auth_header: z.string(),
  /** A key of the type "login with password" whose password is the secret. */
  auth_secret_id: id.nullable(),
  /** Whether the addresses of the project reach this integration too. */
  searchable: z.boolean(),
  task_params: taskParams.nullable(),
});
export type Integration = z.output<typeof integration>;

/** The reply, which also has the fields of later versions of the API. */
const shownIntegration = withCompatFields(
  (one: Integration) => showTaskParams(one),
  integration.extend({ task_params: shownTaskParams.nullable() }),
);

const headerName = /^[\w!#$%&'*+.^`|~-]*$/;

const integrationFields = z.object({
  name: line(255, 'name.required'),
  /** At most one of both. */
  template_id: using('template.run', optionalId),
  workflow_id: using('workflow.run', optionalId),
  auth_method: initially(z.enum(authMethodInputs), ''),
  auth_header: initially(
    optionalLine(255).refine((name) => headerName.test(name), {
      error: 'integration.header_name',
    }),
    '',
  ),
  auth_secret_id: using('key.use', optionalId),
  searchable: initially(z.boolean(), false),
  /** Only for a template, as nodes of workflows have their own options. Absent: unchanged. */
  task_params: newTaskParams.nullish(),
});

export const newIntegration = crossCheck(integrationFields, checkTarget);
export type NewIntegration = z.output<typeof newIntegration>;

export const aliasText = secret(
  z.string().regex(/^[a-z0-9]{16,64}$/, { error: 'restore.alias_form' }),
);

/** An address for requests, which everybody who knows it can send. */
const alias = z.object({ id, url: secret(z.string()) });
export type Alias = z.output<typeof alias>;

const path = '/api/project/:project_id/integrations';

export const integrations = {
  ...resourceEndpoints(path, 'integration', {
    permission: 'integration.edit',
    createdFor: true,
    summaries: {
      list: `The integrations of the project: ${startsSentence}`,
      create: 'Add an integration',
      one: 'One integration',
      update: 'Change an integration',
      remove: 'Delete an integration with its addresses, values, matchers and deliveries',
    },
    query: sortedQuery(['name']).extend(startsQuery.shape),
    body: newIntegration,
    forms: taskParamsForms,
    kept: ['auth_method', 'auth_header', 'auth_secret_id', ...narrowing],
    reply: shownIntegration,
  }),
  refs: refsEndpoint(`${path}/:integration_id`, 'an integration: nothing does'),
};

/** An address is a credential: the lists are empty for members who may not change integrations and for `read` tokens. */
export const aliases = {
  ofProject: endpoint.get(`${path}/aliases`, {
    permission: 'member',
    token: 'all',
    summary: 'The addresses that reach every searchable integration of the project',
    reply: z.array(alias),
    refuses: ['secret.not_opened'],
  }),
  addToProject: endpoint.post(`${path}/aliases`, {
    permission: 'integration.edit',
    summary: 'Add an address that reaches every searchable integration of the project',
    reply: alias,
    refuses: ['request.stale', 'integration.not_found'],
  }),
  removeFromProject: endpoint.delete(`${path}/aliases/:alias_id`, {
    permission: 'integration.edit',
    summary: 'Delete an address of the project; requests to it are refused from then on',
  }),
  list: endpoint.get(`${path}/:integration_id/aliases`, {
    permission: 'member',
    token: 'all',
    summary: 'The addresses of an integration',
    reply: z.array(alias),
    refuses: ['secret.not_opened'],
  }),
  create: endpoint.post(`${path}/:integration_id/aliases`, {
    permission: 'integration.edit',
    summary: 'Add an address to an integration',
    reply: alias,
    refuses: ['request.stale'],
  }),
  remove: endpoint.delete(`${path}/:integration_id/aliases/:alias_id`, {
    permission: 'integration.edit',
    summary: 'Delete an address of an integration; requests to it are refused from then on',
  }),
};
