// Carries on what time decides in runs of workflows: waits and approvals that are due. It also looks
// after what a server that ended left behind, at least once a minute: runs that were told to stop, and
// tasks that ended without telling their run.

import { CoalescingLoop } from '../../../node/async/coalescing-loop.ts';
import { byServer, type Context } from '../../context/context.ts';
import { applyRunEvent } from './runs/advance.ts';
import { endDue } from './runs/due.ts';
import { findNextDue, listDue, listLeft } from './runs/nodes.store.ts';
import { listStopping } from './runs/runs.store.ts';
import { endActive } from './runs/stop.ts';

// Milliseconds: the longest sleep, and the delay after a run failed to advance.
const MAX_SLEEP_MS = 60_000;
const retryMs = 5_000;

export class RunWatch {
  readonly #ctx: Context;
  readonly #loop: CoalescingLoop;
  #hasStarted = false;
  #ends: (() => void)[] = [];

  constructor(ctx: Context) {
    this.#ctx = { ...ctx, by: byServer };
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#takeRound(),
      onError: (error) => ctx.log.error({ err: error }, 'advancing due workflow runs failed'),
    });
  }

  start(): void {
    this.#hasStarted = true;
    const { hub } = this.#ctx;
    this.#ends = [
      hub.subscribe('resource.changed', ({ noun }) => {
        if (noun === 'workflowRuns') this.#loop.trigger();
      }),
      hub.subscribe('hub.events-missed', () => this.#loop.trigger()),
    ];
    this.#loop.trigger();
  }

  /** Carries on what is due now. */
  async runOnce(): Promise<void> {
    this.#loop.trigger();
    await this.#loop.settled;
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#loop.close();
  }

  /** Returns when to look again, although nobody asks. */
  async #takeRound(): Promise<Date | null> {
    const now = this.#ctx.clock.now();
    const { db } = this.#ctx;
    const works: (() => Promise<void>)[] = [];
    for (const due of await listDue(db, now.toISOString())) {
      works.push(() => endDue(this.#ctx, due));
    }
    for (const { run_id: runId, node, status } of await listLeft(db)) {
      const outcome = status === 'success' ? 'success' : 'failure';
      works.push(() => applyRunEvent(this.#ctx, runId, { type: 'ended', node, outcome }));
    }
    for (const { id: runId, project_id: projectId } of await listStopping(db)) {
      works.push(() => endActive(this.#ctx, { projectId, runId }));
    }
    const hasFailed = await this.#carryOn(works);
    if (!this.#hasStarted) return null;
    const wait = hasFailed ? retryMs : await this.#untilNext();
    return new Date(this.#ctx.clock.now().getTime() + wait);
  }

  /** True when an error means that the round has to be repeated. */
  async #carryOn(works: (() => Promise<void>)[]): Promise<boolean> {
    let hasFailed = false;
    for (const work of works) {
      try {
        await work();
      } catch (error) {
        hasFailed = true;
        this.#ctx.log.error({ err: error }, 'workflow run failed to advance');
      }
    }
    return hasFailed;
  }

  async #untilNext(): Promise<number> {
    const due = await findNextDue(this.#ctx.db);
    if (due === null) return MAX_SLEEP_MS;
    const wait = Date.parse(due) - this.#ctx.clock.now().getTime();
    return Math.min(Math.max(0, wait), MAX_SLEEP_MS);
  }
}
