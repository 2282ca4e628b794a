// Authenticates and authorises a request before its body is read. The order of the checks is that of
// serve.ts, so that callers learn nothing that they may not.

import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { isOfRunner } from '#shared/permissions.ts';
import { isRight } from '#shared/rights.ts';
import type { Actor } from '../context/actor.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { fail } from '../lib/errors.ts';
import { admitRequest, yieldToEventLoop } from '../lib/fair-queue.ts';
import type { Scope } from '../db/rights/scope.ts';
import { checkRequirement, checkToken, requireAccess, type Access, type Gate } from './actor.ts';
import { checkObjects } from './object-access.ts';
import { validate } from './validate.ts';

interface Caller {
  actor: Actor | null;
  runner: RunnerActor | null;
}

export interface Admitted extends Caller {
  params: Record<string, unknown>;
  access: Access | null;
  /** What a reading request finds; null: everything. */
  scope: Scope | null;
}

export async function admit(
  endpoint: Endpoint,
  gate: Gate,
  request: FastifyRequest,
): Promise<Admitted> {
  const { permission } = endpoint;
  const { actor, runner } = await authenticate(endpoint, gate, request);
  const params = validate(endpoint.params, request.params) as Record<string, unknown>;
  let access: Access | null = null;
  let scope: Scope | null = null;
  if (actor && (permission === 'member' || isRight(permission))) {
    const inProject = await requireAccess(gate, actor, Number(params['project_id']));
    access = await checkObjects(endpoint, gate, inProject, params);
    scope = access.scope;
  } else if (actor) {
    checkRequirement(permission, actor);
    // Outside of projects, only what is read depends on it.
    if (!actor.admin && endpoint.method === 'GET') scope = await gate.scopeOf(actor.userId);
  }
  if (actor) checkToken(endpoint, actor);
  return { actor, runner, params, access, scope };
}

async function authenticate(
  { permission, duringSetup }: Endpoint,
  gate: Gate,
  request: FastifyRequest,
): Promise<Caller> {
  if (permission === 'public') return { actor: null, runner: null };
  if (isOfRunner(permission)) {
    // After a restart all runners reconnect at once. Queue them behind websocket sends, so that log
    // ingestion cannot outrun delivery.
    await yieldToEventLoop();
    const runner = await gate.authenticateRunner(request);
    const isAdmitted = runner && (!runner.task || permission === 'runner_of_task');
    if (!isAdmitted) throw fail('runner.credential');
    return { actor: null, runner };
  }
  await admitRequest();
  const actor = await gate.authenticate(request, duringSetup);
  if (!actor) throw fail('session.required');
  request.account = actor.username;
  return { actor, runner: null };
}
