// The params of a path follow from their names: `:key_id` is the id of a key, and `key.not_found` refuses a missing one.

import { z } from 'zod';
import { idOf } from '../fields.ts';

const known = {
  project_id: idOf('project.not_found'),
  alert_channel_id: idOf('alert_channel.not_found'),
  alert_delivery_id: idOf('alert_delivery.not_found'),
  alias_id: idOf('alias.not_found'),
  delivery_id: idOf('delivery.not_found'),
  environment_id: idOf('environment.not_found'),
  execution_environment_id: idOf('execution_environment.not_found'),
  grant_id: idOf('grant.not_found'),
  host_config_id: idOf('host_config.not_found'),
  installation_environment_id: idOf('execution_environment.not_found'),
  installation_role_id: idOf('role.not_found'),
  integration_id: idOf('integration.not_found'),
  inventory_id: idOf('inventory.not_found'),
  key_id: idOf('key.not_found'),
  matcher_id: idOf('matcher.not_found'),
  repository_id: idOf('repository.not_found'),
  role_id: idOf('role.not_found'),
  rule_id: idOf('group_rule.not_found'),
  run_id: idOf('workflow_run.not_found'),
  runner_id: idOf('runner.not_found'),
  schedule_id: idOf('schedule.not_found'),
  session_id: idOf('session.not_found'),
  task_id: idOf('task.not_found'),
  template_id: idOf('template.not_found'),
  user_id: idOf('user.not_found'),
  value_id: idOf('extract_value.not_found'),
  view_id: idOf('view.not_found'),
  workflow_id: idOf('workflow.not_found'),
};
type KnownParams = typeof known;

export type NoParams = Record<symbol, never>;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type ParamOf<Name, Own> = Name extends keyof Own
  ? Own[Name]
  : Name extends keyof KnownParams
    ? KnownParams[Name]
    : never;

/** The schema of the params of a path; `Own` has those of another kind. */
export type PathParams<Path extends string, Own> = z.ZodObject<{
  [Name in NamesIn<Path>]: Extract<ParamOf<Name, Own>, z.ZodType>;
}>;

/** Throws when the path has a name that is neither known nor among `own`. */
export function pathParams<Path extends string, Own extends z.ZodRawShape>(
  path: Path,
  own: Own,
): PathParams<Path, Own> {
  const kinds: z.ZodRawShape = { ...known, ...own };
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const unknown = names.find((name) => !(name in kinds));
  if (unknown) throw new Error(`${path}: the kind of "${unknown}" is missing`);
  return z.object(Object.fromEntries(names.map((name) => [name, kinds[name]])) as never);
}
