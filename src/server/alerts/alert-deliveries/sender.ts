// Sends the alerts that wait in the queue, a table. A hub event only says when to read the table, and one
// timer wakes the sender for alerts that are due later.

import { Semaphore } from '../../../node/async/semaphore.ts';
import { BackgroundLoop } from '../../context/background-loop.ts';
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
  readonly loop: BackgroundLoop;
  readonly #end = new AbortController();

  constructor(ctx: Context, limits = usual) {
    this.#ctx = ctx;
    this.#limits = limits;
    this.loop = new BackgroundLoop(ctx, {
      name: 'alerts',
      wakeOn: ['alert.added'],
      run: () => this.#sendDue(),
      // The clock may be put forward.
      pause: { maxMs: 60 * 60_000 },
      failure: 'reading due alerts failed',
    });
  }

  /** Stops the sender. Alerts that are not sent in time stay in the queue for the next server. */
  async close(): Promise<void> {
    await this.loop.close();
    const limit = setTimeout(() => this.#end.abort(), this.#limits.closing);
    await this.#sending.whenIdle();
    clearTimeout(limit);
  }

  async #sendDue(): Promise<Date | null> {
    const { available } = this.#sending;
    const due = available > 0 ? await takeDue(this.#ctx, available) : [];
    for (const delivery of due) this.#begin(delivery);
    const next = await nextDue(this.#ctx);
    // When all slots are in use, the next one that becomes free starts a round.
    return this.#sending.available === 0 ? null : next;
  }

  #begin(delivery: TakenDelivery): void {
    void this.#sending
      .run(() => this.#send(delivery))
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error, deliveryId: delivery.id }, 'storing an alert failed');
      })
      .finally(this.loop.trigger);
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
