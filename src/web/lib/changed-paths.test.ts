import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { api, type Noun } from '#shared/api/index.ts';
import type { ChangedNoun } from '#shared/api/live.ts';
import { isChanged } from './changed-paths.ts';

/** The nouns of the contract that a change concerns. */
const concerned: Record<ChangedNoun, Noun[]> = {
  projects: ['projects'],
  members: ['members'],
  roles: ['projectRoles', 'members'],
  grants: ['grants', 'restrictions', 'access'],
  keys: ['keys'],
  repositories: ['repositories'],
  host_configs: ['hostConfigs'],
  inventories: ['inventories', 'hosts'],
  environments: ['environments'],
  execution_environments: ['executionEnvironments'],
  views: ['views'],
  templates: ['templates', 'schedules'],
  workflows: ['workflows'],
  workflowRuns: ['workflowRuns'],
  schedules: ['schedules'],
  events: ['events'],
  integrations: ['integrations', 'aliases', 'extractValues', 'matchers'],
  deliveries: ['deliveries'],
  alertChannels: ['alertChannels'],
  alertDeliveries: ['alertDeliveries'],
};

const readsOf = (noun: Noun): string[] =>
  Object.values<Endpoint>(api[noun]).flatMap(({ method, path }) => (method === 'GET' ? path : []));

const every = (Object.keys(api) as Noun[]).flatMap(readsOf);

test.each(Object.entries(concerned))('a change of %s concerns exactly its reads', (noun, nouns) => {
  const paths = nouns.flatMap(readsOf);
  if (noun === 'members' || noun === 'roles') {
    paths.push(api.projects.role.path, api.projects.rights.path, api.access.ofUser.path);
  }
  if (noun === 'grants') paths.push(api.projects.rights.path);
  if (noun === 'roles') paths.push(api.projects.roles.path);
  if (noun === 'templates') paths.push(api.stats.deployments.path);
  const found = every.filter((path) => isChanged(path, noun as ChangedNoun));
  expect(new Set(found)).toEqual(new Set(paths));
});
