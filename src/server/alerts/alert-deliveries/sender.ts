// Sends the alerts that wait in the queue, a table. A hub event only says when to read the table, and one
// timer wakes the sender for alerts that are due later.

import { CoalescingLoop } from '../../../node/async/coalescing-loop.ts';
import { Semaphore } from '../../../node/async/semaphore.ts';
import type { Context } from '../../context/context.ts';
import {
  broken,
  nextDue,
  settle,
  takeDue,
  targetOf,
  type TakenDelivery,
} from './alert-deliveries.ts';
import { sendCommitStatus } from './commit-status.ts';
import type { SendResult } from '../alert.ts';
import { ATTEMPT_TIMEOUT_MS, sendAlert } from '../send.ts';

// The number of alerts that are sent at once.
const MAX_CONCURRENT = 4;
// Milliseconds after which the table is looked at in any case, since the clock may be put forward.
const MAX_SLEEP_MS = 60 * 60 * 1000;

/** Limits in milliseconds. */
export interface SenderLimits {
  /** How long a receiver may take to answer. */
  answer: number;
  /** How long a closing server waits for alerts that are being sent. */
  closing: number;
}

const usual: SenderLimits = { answer: ATTEMPT_TIMEOUT_MS, closing: 2000 };

const nobody: SendResult = {
  status: null,
  error: 'recipient_gone',
  isFinal: true,
  retryAfter: null,
};

export class Sender {
  readonly #ctx: Context;
  readonly #limits: SenderLimits;
  readonly #sending = new Semaphore(MAX_CONCURRENT);
  readonly #loop: CoalescingLoop;
  readonly #end = new AbortController();
  #ends: (() => void)[] = [];

  constructor(ctx: Context, limits = usual) {
    this.#ctx = ctx;
    this.#limits = limits;
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#takeRound(),
      onError: (error) => ctx.log.error({ err: error }, 'reading due alerts failed'),
    });
  }

  start(): void {
    const { hub } = this.#ctx;
    const look = (): void => this.#loop.trigger();
    this.#ends = [hub.subscribe('alert.added', look), hub.subscribe('hub.events-missed', look)];
    look();
  }

  /** Stops the sender. Alerts that are not sent in time stay in the queue for the next server. */
  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#loop.close();
    const limit = setTimeout(() => this.#end.abort(), this.#limits.closing);
    await this.#sending.whenIdle();
    clearTimeout(limit);
  }

  /** Returns when to look again, although nobody asks. */
  async #takeRound(): Promise<Date | null> {
    const { available } = this.#sending;
    const due = available > 0 ? await takeDue(this.#ctx, available) : [];
    for (const delivery of due) this.#begin(delivery);
    const next = await nextDue(this.#ctx);
    // When all slots are in use, the next one that becomes free starts a round.
    if (!next || this.#sending.available === 0) return null;
    const latest = this.#ctx.clock.now().getTime() + MAX_SLEEP_MS;
    return new Date(Math.min(next.getTime(), latest));
  }

  #begin(delivery: TakenDelivery): void {
    void this.#sending
      .run(() => this.#send(delivery))
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error, deliveryId: delivery.id }, 'storing an alert failed');
      })
      .finally(() => this.#loop.trigger());
  }

  async #send(delivery: TakenDelivery): Promise<void> {
    const result = await this.#attempt(delivery);
    if (this.#end.signal.aborted && result.error !== null) return;
    await settle(this.#ctx, delivery, result);
  }

  async #attempt(delivery: TakenDelivery): Promise<SendResult> {
    const { config, log } = this.#ctx;
    try {
      const how = { stop: this.#end.signal, ms: this.#limits.answer };
      if (delivery.repository_id !== null) return await sendCommitStatus(this.#ctx, delivery, how);
      const target = await targetOf(this.#ctx, delivery);
      if (!target) return nobody;
      const id = `${delivery.id}-${Date.parse(delivery.created)}`;
      return await sendAlert(config, target, { id, alert: delivery.alert }, how);
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, 'sending an alert failed');
      return broken;
    }
  }
}
