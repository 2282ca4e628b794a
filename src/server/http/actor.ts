import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#shared/api/endpoint.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { type Requirement, scopeOpens } from '#shared/permissions.ts';
import { allRights, type Right, type Rights } from '#shared/rights.ts';
import { lazy } from '../../node/async/state-of.ts';
import type { Config } from '../config/config.ts';
import { fail, lacksRight } from '../lib/errors.ts';
import type { Actor, Caller } from '../context/actor.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import {
  isNarrowed,
  seenTypes,
  type ObjectRef,
  type ObjectRights,
} from '../db/rights/object-rights.ts';
import type { GovernedNoun } from '../db/rights/governing.store.ts';
import type { Scope } from '../db/rights/scope.ts';
import type { IncomingHttpHeaders } from 'node:http';

export const toActor = (
  { usersCreateProjects }: Pick<Config, 'usersCreateProjects'>,
  { mayCreateProjects, ...caller }: Caller,
): Actor => ({
  ...caller,
  canCreateProject: caller.admin || (mayCreateProjects ?? usersCreateProjects),
});

export interface Access {
  /** Its slug; empty for an administrator who is no member. */
  role: string;
  roleName: string;
  /** All of them for an administrator; those on the object that the address names, where grants or restrictions count. */
  rights: Rights;
  /** What the caller may do with each object; null: what the role allows, whatever the object is. */
  objects: (() => Promise<ObjectRights>) | null;
  /** What the caller sees of the project; null: everything. */
  scope: Scope | null;
  /** Whether something of the project is restricted. */
  hasRestrictions: boolean;
}

/** The role of a member. */
export interface GateRole {
  slug: string;
  name: string;
  rights: Rights;
  hasGrants: boolean;
}

/** Authenticates and authorises requests. app.ts implements it, because `http` depends on no noun. */
export interface Gate {
  /** Null without valid credentials. Refuses a pending second factor setup unless `duringSetup`. */
  authenticate: (request: FastifyRequest, duringSetup: boolean) => Promise<Actor | null>;
  /** Returns null without the credential of a remote runner. */
  authenticateRunner: (request: FastifyRequest) => Promise<RunnerActor | null>;
  /** Returns null when the project does not exist, and a role of null for non-members. */
  roleIn: (
    userId: number,
    projectId: number,
  ) => Promise<{ role: GateRole | null; hasRestrictions: boolean } | null>;
  /** The rights of a member on the objects of a project. */
  objectsOf: (member: {
    userId: number;
    projectId: number;
    ofRole: Rights;
  }) => Promise<ObjectRights>;
  /** The object that decides about something in a project; null: it does not exist there. */
  governing: (
    projectId: number,
    thing: { noun: GovernedNoun; id: number },
  ) => Promise<ObjectRef | null>;
  /** The names of members who have a right in a project and can give others a role. */
  giversOf: (projectId: number, right: Right) => Promise<string[]>;
  /** What a user sees of all their projects; null: everything. */
  scopeOf: (userId: number) => Promise<Scope | null>;
}

/** What is needed to tell what somebody may do in a project. */
export type ProjectGate = Pick<Gate, 'roleIn' | 'objectsOf'>;

/** Returns null when the project does not exist or the actor must not learn of it. */
async function accessTo(
  gate: ProjectGate,
  actor: Pick<Actor, 'userId' | 'admin' | 'token'>,
  projectId: number,
): Promise<Access | null> {
  if ((actor.token?.projectId ?? projectId) !== projectId) return null;
  const found = await gate.roleIn(actor.userId, projectId);
  if (!found || (!found.role && !actor.admin)) return null;
  const { role, hasRestrictions } = found;
  if (role && !actor.admin) {
    return byRole(gate, { ...role, hasRestrictions }, { userId: actor.userId, projectId });
  }
  const { slug = '', name = '' } = role ?? {};
  return {
    role: slug,
    roleName: name,
    rights: allRights,
    objects: null,
    scope: null,
    hasRestrictions,
  };
}

function byRole(
  gate: ProjectGate,
  { slug, name, rights, hasRestrictions, hasGrants }: GateRole & Pick<Access, 'hasRestrictions'>,
  { userId, projectId }: { userId: number; projectId: number },
): Access {
  const narrowed = isNarrowed(rights, hasRestrictions);
  const load = lazy(() => gate.objectsOf({ userId, projectId, ofRole: rights }));
  return {
    role: slug,
    roleName: name,
    rights,
    objects: narrowed || hasGrants ? load : null,
    hasRestrictions,
    scope: narrowed ? { userId, projects: [{ id: projectId, seen: seenTypes(rights) }] } : null,
  };
}

/** Throws when the scope or the project of an API token does not allow the endpoint. */
export function checkToken(endpoint: Endpoint, { token }: Actor): void {
  if (token === null) return;
  const { token: need, projectTokens } = endpoint;
  if (need === 'none') throw fail('permission.session_needed');
  if (token.projectId !== null && !projectTokens) throw fail('permission.token_project');
  if (!scopeOpens(token.scope, need)) {
    throw fail('permission.token_scope', { scope: token.scope, need });
  }
}

/** Throws unless the actor meets the requirement of an endpoint outside of projects. */
export function checkRequirement(requirement: Requirement, actor: Actor): void {
  if (requirement === 'admin' && !actor.admin) throw fail('permission.admin_required');
  if (requirement === 'create_project' && !actor.canCreateProject) {
    throw fail('permission.create_project');
  }
}

/** What the caller may do with each object of a kind, by its id. */
export async function rightsOnEach(
  { rights, objects }: Pick<Access, 'rights' | 'objects'>,
  type: GrantedType,
): Promise<(id: number) => Rights> {
  const loaded = await objects?.();
  return (id) => (loaded ? loaded.on({ type, id }) : rights);
}

/** Throws without the right. */
export function requireRight({ rights }: Pick<Access, 'rights'>, right: Right): void {
  if (!rights.has(right)) throw lacksRight(right);
}

/** Throws unless the actor is in the project. */
export async function requireAccess(
  gate: ProjectGate,
  actor: Pick<Actor, 'userId' | 'admin' | 'token'>,
  projectId: number,
): Promise<Access> {
  const access = await accessTo(gate, actor, projectId);
  if (!access) throw fail('project.not_found');
  return access;
}

// An `Authorization` header takes precedence over the session cookie.

export type Credentials = { kind: 'token' | 'session'; text: string };

/** Empty for another authentication scheme. */
export function bearer(authorization: string): string {
  return /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? '';
}

export function credentialsOf(
  { authorization, cookie }: IncomingHttpHeaders,
  cookieOf: (header: string | undefined) => string | null,
): Credentials | null {
  if (authorization !== undefined) return { kind: 'token', text: bearer(authorization) };
  const text = cookieOf(cookie);
  return text === null ? null : { kind: 'session', text };
}
