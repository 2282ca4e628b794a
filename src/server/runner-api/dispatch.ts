// Assigns waiting tasks to runners, whenever something has changed that they wait for, and when a
// retry is due. If there are several servers, each does this, and no task is assigned twice.

import { isAlone, type Context } from '../context/context.ts';
import { hasRoomForTasks } from '../../runner/system/free-room.ts';
import { Rounds } from '../../runner/system/rounds.ts';
import { admitDue, nextTry } from '../automation/tasks/queue/admission.ts';

// Another round comes after this time without a hint, because the only server that got a hint may have
// ended.
const longestPauseMs = 5000;

export class Dispatch {
  readonly #ctx: Context;
  readonly #rounds: Rounds;
  #ends: (() => void)[] = [];

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#rounds = new Rounds({
      clock: ctx.clock,
      round: () => this.#round(),
      onError: (error) => ctx.log.error({ err: error }, 'giving tasks to runners failed'),
    });
  }

  start(): void {
    const { hub } = this.#ctx;
    const ask = (): void => this.#rounds.ask();
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
    return this.#rounds.hasFailed;
  }

  async #round(): Promise<Date | null> {
    const begun = this.#ctx.clock.now();
    const due = admitDue(this.#ctx);
    let step = await due.next();
    while (step.done !== true) step = await due.next();
    const next = step.value ? await nextTry(this.#ctx, begun) : null;
    // Nobody gives a hint when the disk has room for tasks again.
    if (isAlone(this.#ctx) && hasRoomForTasks(this.#ctx.config)) return next;
    const latest = this.#ctx.clock.now().getTime() + longestPauseMs;
    return new Date(Math.min(next?.getTime() ?? latest, latest));
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#rounds.close();
  }
}
