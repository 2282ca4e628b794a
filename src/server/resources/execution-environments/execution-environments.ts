// Execution environments: with which programs tasks run. A project uses its own and those of the installation.

import type {
  ExecutionEnvironment,
  ExecutionSnapshot,
  NewExecutionEnvironment,
} from '#shared/api/execution-environments.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { References } from '#shared/api/references.ts';
import type { Context } from '../../context/context.ts';
import type { Owner, Versioned } from '../../db/resource.ts';
import { listReferences } from '../../db/references.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { hasKey, requireKey } from '../keys/keys.ts';
import { checkReferences, resource, type Target } from '../resource.ts';
import {
  executionStore,
  isOfInstallation,
  isUsable,
  listUsable,
  type ExecutionFilter,
} from './execution-environments.store.ts';

const environments = resource(executionStore, 'execution_environments', 'execution_environment');

export const hasExecutionEnvironment = isUsable;

export const listExecutionEnvironments = (
  ctx: Context,
  owner: Owner,
  filter: ExecutionFilter = {},
): Promise<ExecutionEnvironment[]> => listUsable(ctx.db, owner, filter);

/** One that belongs to the project, or to the installation, which null stands for too. */
export async function requireExecutionEnvironment(
  ctx: Context,
  owner: Owner,
  id: number,
): Promise<Versioned<ExecutionEnvironment>> {
  const isShared = owner !== null && (await isOfInstallation(ctx.db, id));
  return environments.require(ctx, isShared ? null : owner, id);
}

export async function createExecutionEnvironment(
  ctx: Context,
  owner: Owner,
  input: NewExecutionEnvironment,
): Promise<Versioned<ExecutionEnvironment>> {
  await checkKey(ctx, owner, input.registry_key_id);
  return environments.create(ctx, owner, input);
}

export async function changeExecutionEnvironment(
  ctx: Context,
  target: Target<Owner>,
  input: NewExecutionEnvironment,
): Promise<void> {
  const { projectId: owner, id } = target;
  await refuseShared(ctx, owner, id);
  await checkKey(ctx, owner, input.registry_key_id);
  await environments.change(ctx, target, input);
}

export async function removeExecutionEnvironment(
  ctx: Context,
  owner: Owner,
  id: number,
): Promise<void> {
  await refuseShared(ctx, owner, id);
  await environments.remove(ctx, owner, id);
}

/** In a project, only what uses it there. */
export async function executionEnvironmentRefs(
  ctx: Context,
  owner: Owner,
  id: number,
): Promise<References> {
  await requireExecutionEnvironment(ctx, owner, id);
  return listReferences(ctx.db, 'execution_environments', owner, id);
}

/** In a project, those of the installation can be used but not changed. */
async function refuseShared(ctx: Context, owner: Owner, id: number): Promise<void> {
  if (owner === null || !(await isOfInstallation(ctx.db, id))) return;
  throw fail('execution_environment.of_installation');
}

async function checkKey(ctx: Context, owner: Owner, keyId: number | null): Promise<void> {
  if (keyId === null) return;
  if (owner === null) {
    throw failFields(fieldError('registry_key_id', 'execution_environment.key_of_installation'));
  }
  await checkReferences(ctx, owner, { registry_key_id: [keyId, hasKey] });
  const { type } = await requireKey(ctx, owner, keyId);
  if (type === 'login_password') return;
  throw failFields(fieldError('registry_key_id', 'execution_environment.key_login_password'));
}

/** What a task keeps of its execution environment. */
export function toExecutionSnapshot({
  project_id: _project,
  description: _description,
  revision: _revision,
  ...environment
}: Versioned<ExecutionEnvironment>): ExecutionSnapshot {
  return environment;
}

/** Only for containers does the runner sign in to a registry, whatever else was entered. */
export const registryKeyOf = ({
  executionEnvironment: used,
}: Pick<TaskSnapshot, 'executionEnvironment'>): number | null =>
  used?.kind === 'container' ? used.registry_key_id : null;
