// Sends what waits in the table of alerts. The table is the truth and a hint only a nudge; a
// single timer wakes it for what is due later.

import type { Context } from '../context.ts';
import {
  broken,
  nextDue,
  settle,
  takeDue,
  targetOf,
  type TakenDelivery,
} from './alert-deliveries.ts';
import type { SendResult } from '../alerts/alert.ts';
import { answerLimit, sendAlert } from '../alerts/send.ts';

// So many go out at once.
const most = 4;
// Milliseconds before the table is asked again after the database has refused it.
const pause = 1000;
const longestTimer = 60 * 60 * 1000;

/** Milliseconds. */
export interface SenderLimits {
  /** That a receiver has for its answer. */
  answer: number;
  /** That a closing server leaves to those under way. */
  closing: number;
}

const usual: SenderLimits = { answer: answerLimit, closing: 2000 };

const nobody: SendResult = {
  status: null,
  error: 'recipient_gone',
  isFinal: true,
  retryAfter: null,
};

export class Sender {
  readonly #ctx: Context;
  readonly #limits: SenderLimits;
  readonly #underWay = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #ends: (() => void)[] = [];
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #isAskedAgain = false;
  #isClosing = false;
  #alarm: NodeJS.Timeout | undefined;

  constructor(ctx: Context, limits = usual) {
    this.#ctx = ctx;
    this.#limits = limits;
  }

  start(): void {
    const { hub } = this.#ctx;
    const look = (): void => this.#look();
    this.#ends = [hub.subscribe('alerts', look), hub.subscribe('missed', look)];
    this.#look();
  }

  /** What is not done in time is left as it is, and sent by the next server. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const end of this.#ends) end();
    await this.#looking;
    clearTimeout(this.#alarm);
    const limit = setTimeout(() => this.#end.abort(), this.#limits.closing);
    await Promise.all(this.#underWay);
    clearTimeout(limit);
  }

  /** One look at a time; whoever asks meanwhile gets another one. */
  #look(): void {
    this.#isAskedAgain = true;
    if (this.#isLooking || this.#isClosing) return;
    this.#isLooking = true;
    this.#looking = this.#lookAgain();
  }

  async #lookAgain(): Promise<void> {
    try {
      while (this.#isAskedAgain && !this.#isClosing) {
        this.#isAskedAgain = false;
        const free = most - this.#underWay.size;
        const due = free > 0 ? await takeDue(this.#ctx, free) : [];
        for (const delivery of due) this.#begin(delivery);
        this.#setAlarm(await nextDue(this.#ctx));
      }
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'looking for alerts failed');
      this.#setAlarm(new Date(this.#ctx.clock.now().getTime() + pause));
    } finally {
      // In the same moment as the last look at what was asked, so that nobody asks in between.
      this.#isLooking = false;
    }
  }

  #setAlarm(time: Date | null): void {
    clearTimeout(this.#alarm);
    // With all slots taken, whichever becomes free looks again.
    if (!time || this.#isClosing || this.#underWay.size >= most) return;
    const wait = time.getTime() - this.#ctx.clock.now().getTime();
    this.#alarm = setTimeout(() => this.#look(), Math.min(Math.max(0, wait), longestTimer));
  }

  #begin(delivery: TakenDelivery): void {
    const sending = this.#send(delivery)
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error, deliveryId: delivery.id }, 'noting an alert failed');
      })
      .finally(() => {
        this.#underWay.delete(sending);
        this.#look();
      });
    this.#underWay.add(sending);
  }

  async #send(delivery: TakenDelivery): Promise<void> {
    const result = await this.#attempt(delivery);
    if (this.#end.signal.aborted && result.error !== null) return;
    await settle(this.#ctx, delivery, result);
  }

  async #attempt(delivery: TakenDelivery): Promise<SendResult> {
    const { config, log } = this.#ctx;
    try {
      const target = await targetOf(this.#ctx, delivery);
      if (!target) return nobody;
      const id = `${delivery.id}-${Date.parse(delivery.created)}`;
      const how = { stop: this.#end.signal, ms: this.#limits.answer };
      return await sendAlert(config, target, { id, alert: delivery.alert }, how);
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, 'sending an alert failed');
      return broken;
    }
  }
}
