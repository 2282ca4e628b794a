// Tells whether the clock is right: schedules, codes of second factors and certificates depend on it.

import type { HealthState } from '#shared/api/system.ts';
import type { Clock } from '../../../node/async/clock.ts';
import type { Log } from '../../../node/log/log.ts';

/** A clock before this time was never set: this version did not exist then. */
const earliest = Date.parse('2026-01-01T00:00:00Z');
const notableMs = 60_000;
const pauseMs = 15_000;
/** How long a jump is told. */
const jumpToldMs = 5 * 60_000;

/** The time of this machine, minus that of a clock that never jumps. */
const wallOffset = (): number => Date.now() - performance.now();

export class ClockWatch {
  readonly #clock: Clock;
  readonly #log: Log;
  #offset = wallOffset();
  #lastJump = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), pauseMs);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Compares the clock of this machine with one that never jumps. */
  look(offset = wallOffset()): void {
    const jump = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(jump) < notableMs) return;
    this.#lastJump = performance.now();
    const seconds = Math.round(jump / 1000);
    this.#log.warn({ seconds }, 'the clock of this machine has jumped');
  }

  /**
   * `failed`: it was never set. `wrong`: it has jumped lately, or differs from that of the database
   * by over a minute.
   */
  get state(): HealthState {
    const now = this.#clock.now().getTime();
    if (now < earliest) return 'failed';
    const hasJumped = performance.now() - this.#lastJump < jumpToldMs;
    return hasJumped || Math.abs(now - Date.now()) > notableMs ? 'wrong' : 'ok';
  }
}
