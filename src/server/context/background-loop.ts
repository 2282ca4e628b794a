// The background work of a server: runs when a hub event triggers it and when it is next due. Its state is
// listed for administrators.

import type { ChangedNoun } from '#shared/api/live.ts';
import type { LoopName, LoopState } from '#shared/api/system.ts';
import { CoalescingLoop } from '../../node/async/coalescing-loop.ts';
import type { Context } from './context.ts';
import { shortReason } from '../db/lasting.ts';

const MAX_REASON_LENGTH = 500;

/** One run of the work. */
export interface Round {
  /** Is aborted when the loop closes. */
  signal: AbortSignal;
  /** Notes a failure that does not end the run; the next run follows after `retryMs`. */
  fail: (error: unknown) => void;
}

export interface BackgroundWork {
  name: LoopName;
  /** The topics of the hub of which every event triggers a run, besides `hub.events-missed`. */
  wakeOn?: readonly ('queue.changed' | 'follow-up.added' | 'alert.added')[];
  /** The nouns of which a change triggers a run. */
  wakeOnChanged?: readonly ChangedNoun[];
  /** Returns when it is next due without an event; null: not known. */
  run: (round: Round) => Promise<Date | string | null>;
  /** The bounds of the pause before the next run. Without `maxMs` there is none while nothing is due. */
  pause?: { minMs?: number; maxMs?: number; retryMs?: number };
  /** What is logged when a run throws; the next run follows after a second. */
  failure: string;
  onFailure?: () => void;
}

export class BackgroundLoop {
  readonly #ctx: Pick<Context, 'clock' | 'hub' | 'log'>;
  readonly #work: BackgroundWork;
  readonly #loop: CoalescingLoop;
  readonly #closing = new AbortController();
  #unsubscribe: (() => void)[] = [];
  #isStarted = false;
  #state: LoopState;

  constructor(ctx: Pick<Context, 'clock' | 'hub' | 'log'>, work: BackgroundWork) {
    this.#ctx = ctx;
    this.#work = work;
    this.#state = {
      name: work.name,
      last_run: null,
      duration_ms: null,
      error: null,
      next_due: null,
    };
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#run(),
      onError: (error) => {
        work.onFailure?.();
        ctx.log.error({ err: error }, work.failure);
      },
    });
  }

  /** What administrators see of it; null: it does not run on this server. */
  get state(): LoopState | null {
    return this.#isStarted ? this.#state : null;
  }

  /** Whether the last run has thrown. */
  get hasFailed(): boolean {
    return this.#loop.hasFailed;
  }

  /** Is aborted when the loop closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  start(): void {
    this.#isStarted = true;
    const { hub } = this.#ctx;
    const { wakeOn = [], wakeOnChanged = [] } = this.#work;
    this.#unsubscribe = [
      ...[...wakeOn, 'hub.events-missed' as const].map((topic) =>
        hub.subscribe(topic, this.trigger),
      ),
      hub.subscribe('resource.changed', ({ noun }) => {
        if (wakeOnChanged.includes(noun)) this.trigger();
      }),
    ];
    this.trigger();
  }

  readonly trigger = (): void => this.#loop.trigger();

  /** Settles when all triggered runs have ended. */
  get settled(): Promise<void> {
    return this.#loop.settled;
  }

  /** Runs now; settles when all triggered runs have ended. */
  async runOnce(): Promise<void> {
    this.trigger();
    await this.#loop.settled;
  }

  /** Starts no more runs; settles when the current one has ended. */
  async close(): Promise<void> {
    for (const end of this.#unsubscribe) end();
    this.#closing.abort();
    await this.#loop.close();
  }

  async #run(): Promise<Date | null> {
    const { clock } = this.#ctx;
    const begin = performance.now();
    const failures: unknown[] = [];
    const round = { signal: this.closing, fail: (error: unknown) => void failures.push(error) };
    let due: Date | null = null;
    try {
      const known = await this.#work.run(round);
      if (this.#isStarted) due = this.#bounded(known, failures.length > 0);
      return due;
    } catch (error) {
      failures.push(error);
      throw error;
    } finally {
      this.#state = {
        name: this.#work.name,
        last_run: clock.now().toISOString(),
        duration_ms: Math.round(performance.now() - begin),
        error: failures.length > 0 ? shortReason(failures[0]).slice(0, MAX_REASON_LENGTH) : null,
        next_due: due?.toISOString() ?? null,
      };
    }
  }

  #bounded(due: Date | string | null, hasFailed: boolean): Date | null {
    const { minMs = 0, maxMs, retryMs } = this.#work.pause ?? {};
    const now = this.#ctx.clock.now().getTime();
    if (hasFailed && retryMs !== undefined) return new Date(now + retryMs);
    if (due === null && maxMs === undefined) return null;
    const wait = due === null ? Infinity : new Date(due).getTime() - now;
    return new Date(now + Math.min(Math.max(minMs, wait), maxMs ?? Infinity));
  }
}
