// Reads the states of the server's parts from an answer or a refusal. Pure functions.

import { healthParts, type HealthStates, healthStates } from '#shared/api/system.ts';
import { ApiError } from '../../lib/api.ts';

/** Reads the states from a refusal; null if the refusal is about something else. */
export function healthOfError(error: unknown): HealthStates | null {
  if (!(error instanceof ApiError) || error.body.code !== 'system.not_ready') return null;
  const given = error.body.params ?? {};
  const read = healthParts.map((part) => [
    part,
    healthStates.find((state) => state === given[part]) ?? 'failed',
  ]);
  return Object.fromEntries(read) as HealthStates;
}
