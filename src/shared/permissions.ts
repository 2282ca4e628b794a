// Project roles and what they allow. The API sends the mask of a role as the number `permissions`.

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

/** The roles with their names and what they allow. */
export const roleInfos = roleNames.map((slug) => ({
  slug,
  name: { owner: 'Owner', manager: 'Manager', task_runner: 'Task Runner', guest: 'Guest' }[slug],
  permissions: roles[slug],
}));

/** What a caller needs in a project: one permission, or any of several. */
const projectRequirements = {
  ...projectPermissions,
  manage_integrations: projectPermissions.manage_resources | projectPermissions.update_project,
} as const;
export type ProjectRequirement = keyof typeof projectRequirements;

/**
 * What a caller of an endpoint needs. `public`: nothing. `user`: a session or token.
 * `member`: any role in the project of the path. A project requirement: a role that meets it.
 * `runner`: the credential of a runner, which is valid for these endpoints only.
 */
export type Requirement =
  | 'public'
  | 'user'
  | 'create_project'
  | 'admin'
  | 'member'
  | 'runner'
  | ProjectRequirement;

/** How much of its user's rights an API token has: reading, also running tasks, or everything. */
export const tokenScopes = ['read', 'run', 'all'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The smallest token scope with which an endpoint can be called; `none`: tokens cannot call it, only sessions can. */
export type TokenNeed = TokenScope | 'none';

export function scopeOpens(scope: TokenScope, need: TokenNeed): boolean {
  return need !== 'none' && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(need);
}

export function isProjectPermission(requirement: Requirement): requirement is ProjectRequirement {
  return requirement in projectRequirements;
}

/** Whether a permission mask meets a requirement. For administrators, callers pass the mask of an owner. */
export function can(mask: number, permission: ProjectRequirement): boolean {
  return (mask & projectRequirements[permission]) !== 0;
}

/** Whether this role may read the content of inventories and environments; guests see only that they exist. */
export function canSeeContent(mask: number): boolean {
  return can(mask, 'run_tasks') || can(mask, 'manage_resources');
}
