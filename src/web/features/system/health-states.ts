// What the server says of its parts, also where it says that one is down. Pure.

import { type HealthState, healthStates } from '#shared/api/system.ts';
import { ApiError } from '../../lib/api.ts';

export const healthParts = ['database', 'disk', 'queue', 'runner', 'event_loop'] as const;
export type HealthPart = (typeof healthParts)[number];
export type Health = Record<HealthPart, HealthState>;

/** The states out of a refusal; null: it is about something else. */
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
