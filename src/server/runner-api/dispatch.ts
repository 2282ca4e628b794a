// Assigns waiting tasks to runners, whenever something has changed that they wait for, and when a
// retry is due. If there are several servers, each does this, and no task is assigned twice.

import { isAlone, type Context } from '../context/context.ts';
import { hasSpaceForTasks } from '../../node/fs/disk-space.ts';
import { CoalescingLoop } from '../../node/async/coalescing-loop.ts';
import { admitDue, nextTry } from '../automation/tasks/queue/admission.ts';

// Another round comes after this time without a hub event, because the only server that got a hub event may have
// ended.
const MAX_PAUSE_MS = 5000;

export class Dispatch {
  readonly #ctx: Context;
  readonly #loop: CoalescingLoop;
  #ends: (() => void)[] = [];

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#round(),
      onError: (error) => ctx.log.error({ err: error }, 'assigning tasks to runners failed'),
    });
  }

  start(): void {
    const { hub } = this.#ctx;
    const ask = (): void => this.#loop.trigger();
    this.#ends = [
      hub.subscribe('queue.changed', ask),
      hub.subscribe('hub.events-missed', ask),
      // The limits of projects or templates may have changed.
      hub.subscribe('resource.changed', ({ noun }) => {
        if (noun === 'projects' || noun === 'templates') ask();
      }),
    ];
    ask();
  }

  /** Whether the last round failed. */
  get hasFailed(): boolean {
    return this.#loop.hasFailed;
  }

  async #round(): Promise<Date | null> {
    const begun = this.#ctx.clock.now();
    const due = admitDue(this.#ctx);
    let step = await due.next();
    while (step.done !== true) step = await due.next();
    const next = step.value ? await nextTry(this.#ctx, begun) : null;
    // Nobody gives a hub event when the disk has room for tasks again.
    if (isAlone(this.#ctx) && hasSpaceForTasks(this.#ctx.config)) return next;
    const latest = this.#ctx.clock.now().getTime() + MAX_PAUSE_MS;
    return new Date(Math.min(next?.getTime() ?? latest, latest));
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#loop.close();
  }
}
