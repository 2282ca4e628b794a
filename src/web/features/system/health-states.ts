// Reads the states of the server's parts from an answer or a refusal. Pure functions.

import { type HealthState, healthStates } from '#shared/api/system.ts';
import { ApiError } from '../../lib/api.ts';

export const healthParts = ['database', 'disk', 'queue', 'runner', 'event_loop'] as const;
type HealthPart = (typeof healthParts)[number];
type Health = Record<HealthPart, HealthState>;

/** Reads the states from a refusal; null if the refusal is about something else. */
export function healthOfError(error: unknown): Health | null {
  if (!(error instanceof ApiError) || error.body.code !== 'system.not_ready') return null;
  const given = error.body.params ?? {};
  const stateOf = (part: HealthPart): HealthState =>
    healthStates.find((state) => state === given[part]) ?? 'failed';
  return {
    database: stateOf('database'),
    disk: stateOf('disk'),
    queue: stateOf('queue'),
    runner: stateOf('runner'),
    event_loop: stateOf('event_loop'),
  };
}
