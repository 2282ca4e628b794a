import type { Environment } from '#shared/api/environments.ts';
import { canSeeContent } from '#shared/permissions.ts';
import { resource } from '../resource.ts';
import { environmentStore } from './environments.store.ts';

const environments = resource(environmentStore, 'environments', 'environment');
export const requireEnvironment = environments.require;
export const removeEnvironment = environments.remove;
export const hasEnvironment = environmentStore.exists;
export const createEnvironment = environments.create;
export const changeEnvironment = environments.change;

/** Guests see that an environment exists, not what is in it. */
export function shownEnvironment<T extends Environment>(environment: T, mask: number): T {
  const isShown = canSeeContent(mask);
  return isShown ? environment : { ...environment, json: '{}', env: '{}' };
}
