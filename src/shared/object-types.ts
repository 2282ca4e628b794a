// The kinds of resources that events are about.

/** The kind of resource that an event is about; clients of the older API call it `object_type`. */
export const objectTypes = [
  'project',
  'user',
  'key',
  'repository',
  'inventory',
  'environment',
  'view',
  'workflow',
  'workflow_run',
  'template',
  'task',
  'schedule',
  'integration',
  'integrationextractvalue',
  'integrationmatcher',
  'integrationalias',
  'alert_channel',
  'host_key',
  'host_config',
  'app',
  'option',
  'installation',
  'session',
  'token',
  'group_rule',
  'runner',
] as const;
export type ObjectType = (typeof objectTypes)[number];
