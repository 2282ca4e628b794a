// What a project role allows. The masks are the wire's `permissions` number.

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

/** What is asked for in a project: one permission, or one of several. */
const projectRequirements = {
  ...projectPermissions,
  manage_integrations: projectPermissions.manage_resources | projectPermissions.update_project,
} as const;
export type ProjectRequirement = keyof typeof projectRequirements;

/**
 * What an endpoint asks of its caller. `public`: nothing. `user`: a session or token.
 * `member`: any role in the project of the path. A project requirement: a role that meets it.
 * `runner`: the credential of a runner, which opens nothing else.
 */
export type Requirement =
  | 'public'
  | 'user'
  | 'create_project'
  | 'admin'
  | 'member'
  | 'runner'
  | ProjectRequirement;

/** What an API token may do of what its user may: look, also run tasks, or everything. */
export const tokenScopes = ['read', 'run', 'all'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The least scope that opens an endpoint; `none`: no token does, only a session. */
export type TokenNeed = TokenScope | 'none';

export function scopeOpens(scope: TokenScope, need: TokenNeed): boolean {
  return need !== 'none' && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(need);
}

export function isProjectPermission(requirement: Requirement): requirement is ProjectRequirement {
  return requirement in projectRequirements;
}

/** Whether a permission mask holds a bit that is enough. Administrators pass the mask of an owner. */
export function can(mask: number, permission: ProjectRequirement): boolean {
  return (mask & projectRequirements[permission]) !== 0;
}

/** Guests see that inventories and environments exist, not what is in them. */
export function canSeeContent(mask: number): boolean {
  return can(mask, 'run_tasks') || can(mask, 'manage_resources');
}
