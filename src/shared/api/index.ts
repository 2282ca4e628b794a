import type { Endpoint } from './endpoint.ts';
import { activeTasks } from './active-tasks.ts';
import { alertChannels } from './alert-channels.ts';
import { alertDeliveries } from './alert-deliveries.ts';
import { apps } from './apps.ts';
import { backups } from './backups.ts';
import { deliveries, webhooks } from './deliveries.ts';
import { environments } from './environments.ts';
import { events } from './events.ts';
import { executionEnvironments, installationEnvironments } from './execution-environments.ts';
import { groupRules, identity } from './identity.ts';
import { access, grants, restrictions } from './grants.ts';
import { hostConfigs } from './host-configs.ts';
import { hostKeys } from './host-keys.ts';
import { hosts } from './hosts.ts';
import { aliases, integrations } from './integrations.ts';
import { inventories } from './inventories.ts';
import { keptStates } from './kept-states.ts';
import { keys } from './keys.ts';
import { extractValues, matchers } from './matchers.ts';
import { members } from './members.ts';
import { options } from './options.ts';
import { mergesOf, type Merge } from './patches.ts';
import { projects } from './projects.ts';
import { installationRoles, projectRoles } from './roles.ts';
import { repositories } from './repositories.ts';
import { runnerApiEndpoints } from './runner-api.ts';
import { projectRunners, runners } from './runners.ts';
import { schedules } from './schedules.ts';
import { secondFactor } from './second-factor.ts';
import { session } from './session.ts';
import { stats } from './stats.ts';
import { system } from './system.ts';
import { taskResults } from './task-results.ts';
import { tasks } from './tasks.ts';
import { templates } from './templates.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';
import { views } from './views.ts';
import { workflowRuns } from './workflow-runs.ts';
import { workflows } from './workflows.ts';
import { overview } from './overview.ts';

export const api = {
  system,
  session,
  secondFactor,
  users,
  tokens,
  projects,
  apps,
  members,
  projectRoles,
  installationRoles,
  grants,
  restrictions,
  access,
  keys,
  hostKeys,
  hostConfigs,
  repositories,
  inventories,
  hosts,
  environments,
  executionEnvironments,
  installationEnvironments,
  views,
  templates,
  keptStates,
  workflows,
  workflowRuns,
  tasks,
  taskResults,
  activeTasks,
  stats,
  overview,
  events,
  integrations,
  aliases,
  extractValues,
  matchers,
  deliveries,
  webhooks,
  schedules,
  alertChannels,
  alertDeliveries,
  options,
  runners,
  projectRunners,
  runnerApi: runnerApiEndpoints,
  backups,
  identity,
  groupRules,
} as const;

export type Noun = keyof typeof api;

export interface NamedEndpoint {
  /** `noun.verb`, for example `tasks.start`. */
  name: string;
  noun: Noun;
  endpoint: Endpoint;
}

const declared: NamedEndpoint[] = Object.entries(api).flatMap(([noun, group]) =>
  Object.entries(group as Record<string, Endpoint>).map(([verb, endpoint]) => ({
    name: `${noun}.${verb}`,
    noun: noun as Noun,
    endpoint,
  })),
);

const merges = mergesOf(declared.map(({ endpoint }) => endpoint));

/** All endpoints, with a `noun.patch` for each PUT of a resource that can be read. */
export const endpoints: NamedEndpoint[] = declared.flatMap((named) => {
  const merge = merges.get(named.endpoint);
  return merge
    ? [named, { name: `${named.noun}.patch`, noun: named.noun, endpoint: merge.patch }]
    : [named];
});

/** The PATCH of a PUT; null: none. */
export const mergeOf = (put: Endpoint): Merge | null => merges.get(put) ?? null;

const byPatch = new Map([...merges.values()].map((merge) => [merge.patch, merge]));

/** The PUT of a PATCH; null: not a PATCH. */
export const mergeOfPatch = (patch: Endpoint): Merge | null => byPatch.get(patch) ?? null;
