import { deliveries } from '#shared/api/deliveries.ts';
import { aliases, integrations } from '#shared/api/integrations.ts';
import { extractValues, matchers } from '#shared/api/matchers.ts';
import { request } from '../../lib/api.ts';
import { query, send } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export interface IntegrationRef {
  projectId: number;
  integrationId: number;
}

export const paramsOf = ({ projectId, integrationId }: IntegrationRef) => ({
  project_id: projectId,
  integration_id: integrationId,
});

export const integrationQueries = {
  list: (projectId: number) =>
    query(integrations.list, { params: { project_id: projectId }, query: { starts: 'all' } }),
  one: (place: IntegrationRef) => query(integrations.one, { params: paramsOf(place) }),
  projectAliases: (projectId: number) =>
    query(aliases.ofProject, { params: { project_id: projectId } }),
  aliases: (place: IntegrationRef) => query(aliases.list, { params: paramsOf(place) }),
  values: (place: IntegrationRef) => query(extractValues.list, { params: paramsOf(place) }),
  matchers: (place: IntegrationRef) => query(matchers.list, { params: paramsOf(place) }),
  deliveries: (place: IntegrationRef) => query(deliveries.list, { params: paramsOf(place) }),
  delivery: (place: IntegrationRef, deliveryId: number) =>
    query(deliveries.one, { params: { ...paramsOf(place), delivery_id: deliveryId } }),
};

const resource = defineResource({
  noun: 'integration',
  endpoints: integrations,
  refs: integrations.refs,
});

/** A new integration gets its first address at once, without which nothing can reach it. */
export const integrationResource = {
  ...resource,
  create: () => {
    const { mutationFn, meta } = resource.create();
    return {
      async mutationFn(args: Parameters<typeof mutationFn>[0]) {
        const made = await mutationFn(args);
        const params = { project_id: made.project_id, integration_id: made.id };
        // If it cannot be made, the page of the integration says that it has none.
        await request(aliases.create, { params }).catch(() => undefined);
        return made;
      },
      meta,
    };
  },
};
export const valueResource = defineResource({
  noun: 'extract_value',
  endpoints: extractValues,
  params: paramsOf,
});
export const matcherResource = defineResource({
  noun: 'matcher',
  endpoints: matchers,
  params: paramsOf,
});

export const addProjectAlias = () => send(aliases.addToProject, { refresh: [aliases.ofProject] });
export const removeProjectAlias = () =>
  send(aliases.removeFromProject, { refresh: [aliases.ofProject] });
export const addAlias = () => send(aliases.create, { refresh: [aliases.list] });
export const removeAlias = () => send(aliases.remove, { refresh: [aliases.list] });

export const replayDelivery = () => send(deliveries.replay, { refresh: [deliveries.list] });
export const tryRequest = () => send(deliveries.try);
