// What an endpoint requires of its caller.

import type { Right } from './rights.ts';

/**
 * The requirement of an endpoint. `public`: none. `user`: a session or token. `member`: any role in the project of the
 * path. A right: a role in that project which has it. `runner`: the credential of a runner, valid for these endpoints
 * only. `runner_of_task`: that of a runner, or the one that it was given for the task of the path.
 */
export type Requirement =
  | 'public'
  | 'user'
  | 'create_project'
  | 'admin'
  | 'member'
  | 'runner'
  | 'runner_of_task'
  | Right;

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
