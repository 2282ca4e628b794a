import { deliveries } from '#shared/api/deliveries.ts';
import { aliases, integrations } from '#shared/api/integrations.ts';
import { extractValues, matchers } from '#shared/api/matchers.ts';
import { baseOf, requireOnStarted, shown, type Http } from '../../http/serve.ts';
import { createAlias, listAliases, removeAlias } from './aliases.ts';
import { openDelivery, getDeliveries, tryRequest } from './deliveries.ts';
import {
  changeIntegration,
  createIntegration,
  integrationRefs,
  removeIntegration,
  requireIntegration,
} from './integrations.ts';
import { listStarting } from './integrations.store.ts';
import { replayDelivery } from './receive.ts';
import * as rules from './rules.ts';

interface InProject {
  project_id: number;
}
interface InIntegration extends InProject {
  integration_id: number;
}

const ownerOf = ({ project_id: projectId, integration_id: integrationId }: InIntegration) => ({
  projectId,
  integrationId,
});
const ofProject = ({ project_id: projectId }: InProject) => ({ projectId, integrationId: null });

export function integrationRoutes(http: Http): void {
  http.serve(integrations.list, ({ ctx, params, query }) =>
    listStarting(ctx.db, params.project_id, query),
  );
  http.serve(integrations.create, async ({ ctx, params, body, access }) => {
    await requireOnStarted(access, 'integration.edit', body);
    return createIntegration(ctx, params.project_id, body);
  });
  http.serve(integrations.one, ({ ctx, params }) =>
    requireIntegration(ctx, params.project_id, params.integration_id),
  );
  http.serve(integrations.update, async ({ ctx, params, body, ifMatch, access }) => {
    const { project_id: projectId, integration_id: id } = params;
    await requireOnStarted(access, 'integration.edit', body);
    return changeIntegration(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(integrations.refs, ({ ctx, params }) =>
    integrationRefs(ctx, params.project_id, params.integration_id),
  );
  http.serve(integrations.remove, ({ ctx, params }) =>
    removeIntegration(ctx, params.project_id, params.integration_id),
  );
  aliasRoutes(http);
  ruleRoutes(http);
  deliveryRoutes(http);
}

function aliasRoutes(http: Http): void {
  http.serve(aliases.ofProject, ({ ctx, params, access, request }) =>
    access.rights.has('integration.edit')
      ? listAliases(ctx, ofProject(params), baseOf(ctx, request))
      : [],
  );
  http.serve(aliases.addToProject, ({ ctx, params, request }) =>
    createAlias(ctx, ofProject(params), baseOf(ctx, request)),
  );
  http.serve(aliases.removeFromProject, ({ ctx, params }) =>
    removeAlias(ctx, ofProject(params), params.alias_id),
  );
  http.serve(aliases.list, async ({ ctx, params, access, request }) => {
    if (access.rights.has('integration.edit')) {
      return listAliases(ctx, ownerOf(params), baseOf(ctx, request));
    }
    await requireIntegration(ctx, params.project_id, params.integration_id);
    return [];
  });
  http.serve(aliases.create, ({ ctx, params, request }) =>
    createAlias(ctx, ownerOf(params), baseOf(ctx, request)),
  );
  http.serve(aliases.remove, ({ ctx, params }) =>
    removeAlias(ctx, ownerOf(params), params.alias_id),
  );
}

function ruleRoutes(http: Http): void {
  const { values } = rules;
  http.serve(extractValues.list, ({ ctx, params }) => values.list(ctx, ownerOf(params)));
  http.serve(extractValues.create, ({ ctx, params, body }) =>
    values.create(ctx, ownerOf(params), body),
  );
  http.serve(extractValues.one, ({ ctx, params }) =>
    values.require(ctx, ownerOf(params), params.value_id),
  );
  http.serve(extractValues.update, ({ ctx, params, body }) =>
    values.change(ctx, ownerOf(params), params.value_id, body),
  );
  http.serve(extractValues.refs, ({ ctx, params }) =>
    values.refs(ctx, ownerOf(params), params.value_id),
  );
  http.serve(extractValues.remove, ({ ctx, params }) =>
    values.remove(ctx, ownerOf(params), params.value_id),
  );
  http.serve(matchers.list, ({ ctx, params }) => rules.matchers.list(ctx, ownerOf(params)));
  http.serve(matchers.create, ({ ctx, params, body }) =>
    rules.matchers.create(ctx, ownerOf(params), body),
  );
  http.serve(matchers.one, ({ ctx, params }) =>
    rules.matchers.require(ctx, ownerOf(params), params.matcher_id),
  );
  http.serve(matchers.update, ({ ctx, params, body }) =>
    rules.matchers.change(ctx, ownerOf(params), params.matcher_id, body),
  );
  http.serve(matchers.refs, ({ ctx, params }) =>
    rules.matchers.refs(ctx, ownerOf(params), params.matcher_id),
  );
  http.serve(matchers.remove, ({ ctx, params }) =>
    rules.matchers.remove(ctx, ownerOf(params), params.matcher_id),
  );
}

function deliveryRoutes(http: Http): void {
  http.serve(deliveries.list, async (input) => {
    const { ctx, params, query } = input;
    return shown(input, await getDeliveries(ctx, ownerOf(params), query));
  });
  http.serve(deliveries.one, ({ ctx, params }) =>
    openDelivery(ctx, ownerOf(params), params.delivery_id),
  );
  http.serve(deliveries.replay, ({ ctx, params }) =>
    replayDelivery(ctx, ownerOf(params), params.delivery_id),
  );
  http.serve(deliveries.try, ({ ctx, params, body }) => tryRequest(ctx, ownerOf(params), body));
}
