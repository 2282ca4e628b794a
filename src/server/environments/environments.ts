import type { Environment, NewEnvironment } from '#shared/api/environments.ts';
import { canSeeContent } from '#shared/permissions.ts';
import type { Context } from '../context.ts';
import { resource, type Target } from '../resource.ts';
import { environmentStore } from './environments.store.ts';

const environments = resource(environmentStore, 'environments', 'environment');
export const requireEnvironment = environments.require;
export const removeEnvironment = environments.remove;
export const hasEnvironment = environmentStore.exists;

export async function createEnvironment(
  ctx: Context,
  projectId: number,
  input: NewEnvironment,
): Promise<Environment> {
  const id = await environments.create(ctx, projectId, input);
  return requireEnvironment(ctx, projectId, id);
}

export async function changeEnvironment(
  ctx: Context,
  target: Target,
  input: NewEnvironment,
): Promise<void> {
  await environments.change(ctx, target, input);
}

/** Guests see that an environment exists, not what is in it. */
export function shownEnvironment<T extends Environment>(environment: T, mask: number): T {
  const isShown = canSeeContent(mask);
  return isShown ? environment : { ...environment, json: '{}', env: '{}' };
}
