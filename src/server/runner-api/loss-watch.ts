// Watches the heartbeats of other servers and remote runners, and revokes the leases of lost ones. Each
// server does this; the first one that detects a loss revokes.

import { BackgroundLoop } from '../context/background-loop.ts';
import type { Context } from '../context/context.ts';
import { lostAfter, remoteLostAfter } from '../runners/runners.ts';
import { listSeen, type SeenRunner } from '../runners/runners.store.ts';
import { addWords } from '../automation/tasks/log/append-lines.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { listHeld, takeFromLost } from '../automation/tasks/runs/runner-tasks.ts';
import { endTask } from '../automation/tasks/move-task.ts';

/** Milliseconds without a heartbeat after which a runner is lost. */
interface Limits {
  server: number;
  remote: number;
}

export class LossWatch {
  readonly #ctx: Context;
  readonly #limits: Limits;
  readonly loop: BackgroundLoop;
  /** Since when heartbeats could be stored, in the time of `performance.now`. */
  #since = performance.now();

  constructor(ctx: Context, limits: Partial<Limits> = {}) {
    this.#ctx = ctx;
    this.#limits = { server: lostAfter, remote: remoteLostAfter, ...limits };
    this.loop = new BackgroundLoop(ctx, {
      name: 'lost_runners',
      run: () => this.#look(),
      pause: { minMs: 500, maxMs: 60_000 },
      failure: 'checking runner heartbeats failed',
      onFailure: () => this.renew(),
    });
  }

  /** Restarts the timeouts of all runners: without the database, no runner could store a heartbeat. */
  renew(): void {
    this.#since = performance.now();
  }

  async #look(): Promise<Date | null> {
    const { db, clock, log } = this.#ctx;
    let wait = Infinity;
    for (const runner of await listSeen(db)) {
      const left = this.#timeLeft(runner);
      // Runners without a task count too, because they may be assigned one before the next check.
      if (left > 0) wait = Math.min(wait, left);
      if (left > 0 || runner.running === 0) continue;
      log.warn({ runner: runner.name }, 'runner lost, and its tasks with it');
      await revokeTasks(this.#ctx, runner);
    }
    return wait === Infinity ? null : new Date(clock.now().getTime() + wait);
  }

  /** Milliseconds until the runner counts as lost without a heartbeat. */
  #timeLeft({ remote, silence }: SeenRunner): number {
    const heard = performance.now() - this.#since;
    return (remote ? this.#limits.remote : this.#limits.server) - Math.min(silence, heard);
  }
}

/**
 * A task that has not begun waits again, and one that has begun fails with the reason. Later writes of the
 * lost runner are refused.
 */
export async function revokeTasks(
  ctx: Context,
  { id, name }: { id: number; name: string },
): Promise<void> {
  for (const task of await listHeld(ctx, id)) await revokeTask(ctx, task, name);
}

async function revokeTask(ctx: Context, task: RunnerTask, name: string): Promise<void> {
  const taken = await takeFromLost(ctx, task);
  if (!taken) return;
  const held = { ...task, lease: taken.lease };
  const failure: Failure = { code: 'failure.runner_lost', params: { server: name } };
  const words = addWords(ctx, held, [
    taken.isWaiting
      ? `The server ${name} was lost before the program began. Waiting for another one.`
      : taskFailures.message(failure),
  ]);
  // Another runner may already hold the task and write its log.
  if (taken.isWaiting) return words.catch(() => undefined);
  await words;
  await endTask(ctx, held, 'error', { failure });
}
