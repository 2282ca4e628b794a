// Project roles and their permissions. The API sends the bit mask of a role as `permissions`.

export const projectPermissions = {
  run_tasks: 1,
  update_project: 2,
  manage_resources: 4,
  manage_users: 8,
} as const;

export const roles = {
  owner: 15,
  manager: 5,
  task_runner: 1,
  guest: 0,
} as const;
export type Role = keyof typeof roles;
export const roleNames = ['owner', 'manager', 'task_runner', 'guest'] as const satisfies Role[];

export const roleInfos = roleNames.map((slug) => ({
  slug,
  name: { owner: 'Owner', manager: 'Manager', task_runner: 'Task Runner', guest: 'Guest' }[slug],
  permissions: roles[slug],
}));

/** One permission, or any of several. */
const projectRequirements = {
  ...projectPermissions,
  manage_integrations: projectPermissions.manage_resources | projectPermissions.update_project,
} as const;
export type ProjectRequirement = keyof typeof projectRequirements;

/**
 * The requirement of an endpoint. `public`: none. `user`: a session or token. `member`: any role in the project of the
 * path. A project requirement: a role that meets it. `runner`: the credential of a runner, valid for these endpoints only.
 * `runner_of_task`: that of a runner, or the one that it was given for the task of the path.
 */
export type Requirement =
  | 'public'
  | 'user'
  | 'create_project'
  | 'admin'
  | 'member'
  | 'runner'
  | 'runner_of_task'
  | ProjectRequirement;

/** Whether an API token may read, also run tasks, or has all rights of its user. */
export const tokenScopes = ['read', 'run', 'all'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The minimal token scope of an endpoint; `none`: only sessions. */
export type TokenNeed = TokenScope | 'none';

export function scopeOpens(scope: TokenScope, need: TokenNeed): boolean {
  return need !== 'none' && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(need);
}

/** Whether an endpoint is for runners. */
export const isOfRunner = (requirement: Requirement): boolean =>
  requirement === 'runner' || requirement === 'runner_of_task';

export function isProjectPermission(requirement: Requirement): requirement is ProjectRequirement {
  return requirement in projectRequirements;
}

/** For administrators, callers pass the mask of an owner. */
export function can(mask: number, permission: ProjectRequirement): boolean {
  return (mask & projectRequirements[permission]) !== 0;
}

/** Whether a role may read the content of inventories and environments, which guests may not. */
export function canSeeContent(mask: number): boolean {
  return can(mask, 'run_tasks') || can(mask, 'manage_resources');
}
