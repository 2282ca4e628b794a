// Which API responses are stale after a change. The patterns replace the whole contract, which
// every screen would have to load; changed-paths.test.ts compares both.

import type { ChangedNoun } from '#shared/api/live.ts';

const ofProject = '/api/project/:project_id';

/** The remainder of a path below a project, or another whole path. */
const restsOf: Record<ChangedNoun, RegExp> = {
  projects: /^(?:\/api\/projects|(?:\/role|\/rights|\/roles\/all)?)$/,
  // A change of the team may change the user's own role.
  members: /^\/(?:users(?:\/.+)?|role|rights)$/,
  // What members may do changes with their role.
  roles: /^\/(?:roles(?:\/.+)?|users(?:\/.+)?|role|rights)$/,
  // What somebody may do with an object changes with them.
  grants: /^\/(?:grants(?:\/.+)?|restrictions|access\/.+|users\/:user_id\/access|rights)$/,
  keys: /^\/keys(?:\/|$)/,
  repositories: /^\/repositories(?:\/|$)/,
  host_configs: /^\/host_configs(?:\/|$)/,
  // The hosts of a project include those of its inventories.
  inventories: /^\/(?:inventory|hosts|host_map)(?:\/|$)/,
  environments: /^\/environment(?:\/|$)/,
  // Only those of projects: those of the installation have no hub events.
  execution_environments: /^\/execution_environments(?:\/|$)/,
  views: /^\/views(?:\/[^/]+)?$/,
  // Schedules contain fields of their template.
  templates:
    /^\/(?:templates(?:\/:template_id(?:\/refs|\/schedules)?)?|views\/:view_id\/templates|schedules(?:\/.+)?|stats\/deployments)$/,
  workflows: /^\/workflows(?:\/|$)/,
  workflowRuns: /^\/workflow_runs(?:\/|$)/,
  schedules: /^\/(?:schedules(?:\/.+)?|templates\/:template_id\/schedules)$/,
  events: /^(?:\/api)?\/events(?:\/|$)/,
  // With their aliases, matchers and values.
  integrations: /^\/integrations(?:\/(?!:integration_id\/deliveries)|$)/,
  deliveries: /^\/integrations\/:integration_id\/deliveries(?:\/|$)/,
  alertChannels: /^\/alert_channels(?:\/(?!:alert_channel_id\/deliveries)|$)/,
  alertDeliveries: /^\/(?:alert_deliveries|alert_channels\/:alert_channel_id\/deliveries)(?:\/|$)/,
};

/** Whether the response at this path of the contract depends on resources of the noun. */
export function isChanged(path: string, noun: ChangedNoun): boolean {
  // A newer server may send a noun that this page does not know.
  const rest = Object.hasOwn(restsOf, noun) ? restsOf[noun] : null;
  return (
    rest !== null && rest.test(path.startsWith(ofProject) ? path.slice(ofProject.length) : path)
  );
}
