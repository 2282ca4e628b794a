// Answers load balancers and monitors whether the server can do its work.

import { setTimeout as delay } from 'node:timers/promises';
import type { HealthState } from '#shared/api/system.ts';
import type { Context } from '../../context/context.ts';
import { fail } from '../../lib/errors.ts';
import type { Room } from './disk-watch.ts';
import { askDatabase } from './settings.store.ts';

// A database that answers later than this counts as down.
const longestAnswerMs = 2000;

export interface RunnerHealth {
  runner: HealthState;
  queue: HealthState;
}

export interface Health extends RunnerHealth {
  status: 'ok';
  database: HealthState;
  disk: HealthState;
  event_loop: HealthState;
}

export async function checkHealth(
  { db, log }: Context,
  { runner, queue }: RunnerHealth,
  { disk, isDatabaseFull, isSlow }: Room & { isSlow: boolean },
): Promise<Health> {
  const late = new AbortController();
  const isAnswering = await Promise.race([
    askDatabase(db).then(() => true),
    delay(longestAnswerMs, false, { signal: late.signal }),
  ])
    .catch((error: unknown) => {
      log.warn({ err: error }, 'the database does not answer');
      return false;
    })
    .finally(() => late.abort());
  const database = isAnswering ? (isDatabaseFull ? 'full' : 'ok') : 'failed';
  const eventLoop = isSlow ? 'slow' : 'ok';
  const parts = { database, disk, queue, runner, event_loop: eventLoop } as const;
  if (Object.values(parts).some((state) => state === 'failed' || state === 'full')) {
    throw fail('system.not_ready', parts);
  }
  return { status: 'ok', ...parts };
}
