// Who asks, and what they may do in a project.

import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#shared/api/endpoint.ts';
import {
  can,
  isProjectPermission,
  projectPermissions,
  roles,
  type Requirement,
  scopeOpens,
  type Role,
  type TokenScope,
} from '#shared/permissions.ts';
import { fail } from '../errors.ts';
import type { RunnerActor } from '../runner-actor.ts';

export interface Actor {
  userId: number;
  username: string;
  admin: boolean;
  canCreateProject: boolean;
  /** Null: a token asks. */
  sessionId: number | null;
  /** When the session began; null: a token asks. */
  signedIn: string | null;
  /** It is a session that began with a password, not at a provider. */
  byPassword: boolean;
  /** It is a session that may do nothing else until then. */
  mustSetUpSecondFactor: boolean;
  /** Null: a session asks. */
  token: { id: number; scope: TokenScope; projectId: number | null } | null;
}

export interface Access {
  role: Role | '';
  /** The sum of the permissions; all of them for an administrator. */
  mask: number;
}

/** How the server learns who asks. Given by the composition root: http knows no feature. */
export interface Gate {
  /**
   * Refuses a session that has yet to set up its second factor, unless told that what it asks
   * for is a part of that.
   */
  authenticate: (request: FastifyRequest, duringSetup: boolean) => Promise<Actor | null>;
  /** The runner whose credential a request brings. */
  authenticateRunner: (request: FastifyRequest) => Promise<RunnerActor | null>;
  /** Null: no such project. A role of null: not a member. */
  roleIn: (userId: number, projectId: number) => Promise<{ role: Role | null } | null>;
}

const allPermissions = Object.values(projectPermissions).reduce((sum, bit) => sum | bit, 0);

/** The access of an actor to a project; null when it does not exist for them. */
async function accessTo(
  gate: Pick<Gate, 'roleIn'>,
  actor: Pick<Actor, 'userId' | 'admin' | 'token'>,
  projectId: number,
): Promise<Access | null> {
  if ((actor.token?.projectId ?? projectId) !== projectId) return null;
  const found = await gate.roleIn(actor.userId, projectId);
  if (!found || (!found.role && !actor.admin)) return null;
  const mask = found.role ? roles[found.role] : 0;
  return { role: found.role ?? '', mask: actor.admin ? allPermissions : mask };
}

/** Throws when an API token asks for what tokens of its kind do not open. */
export function checkToken(endpoint: Endpoint, { token }: Actor): void {
  if (token === null) return;
  const { token: need, projectTokens } = endpoint;
  if (need === 'none') throw fail('permission.session_needed');
  if (token.projectId !== null && !projectTokens) throw fail('permission.token_project');
  if (!scopeOpens(token.scope, need)) {
    throw fail('permission.token_scope', { scope: token.scope, need });
  }
}

/** Throws unless the requirement of an endpoint outside projects is met. */
export function checkRequirement(requirement: Requirement, actor: Actor): void {
  if (requirement === 'admin' && !actor.admin) throw fail('permission.admin_required');
  if (requirement === 'create_project' && !actor.canCreateProject) {
    throw fail('permission.create_project');
  }
}

/** Throws unless the actor is in the project and has the permission. */
export async function checkProject(
  gate: Pick<Gate, 'roleIn'>,
  actor: Pick<Actor, 'userId' | 'admin' | 'token'>,
  requirement: Requirement,
  projectId: number,
): Promise<Access> {
  const access = await accessTo(gate, actor, projectId);
  if (!access) throw fail('project.not_found');
  if (isProjectPermission(requirement) && !can(access.mask, requirement)) {
    throw fail('permission.denied');
  }
  return access;
}
