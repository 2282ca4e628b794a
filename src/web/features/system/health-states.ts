// Reads the states of the server's parts from a reply or an error. Pure functions.

import { healthParts, type HealthStates, healthStates } from '#shared/api/system.ts';
import { ApiError } from '../../lib/api.ts';

/** Returns the states in an error; null for an error of another kind. */
export function healthOfError(error: unknown): HealthStates | null {
  if (!(error instanceof ApiError) || error.body.code !== 'system.not_ready') return null;
  const given = error.body.params ?? {};
  const read = healthParts.map((part) => [
    part,
    healthStates.find((state) => state === given[part]) ?? 'failed',
  ]);
  return Object.fromEntries(read) as HealthStates;
}
