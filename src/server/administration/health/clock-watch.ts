// Checks the clock, on which schedules, TOTP codes and certificates depend.

import type { HealthState } from '#shared/api/system.ts';
import type { Clock } from '../../../node/async/clock.ts';
import type { Log } from '../../../node/log/log.ts';

/** A clock before this time was never set: this version is newer. */
const earliest = Date.parse('2026-01-01T00:00:00Z');
const notableMs = 60_000;
const pauseMs = 15_000;
/** How long a jump is reported. */
const JUMP_REPORTED_MS = 5 * 60_000;

/** The wall clock minus the monotonic clock. */
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

  look(offset = wallOffset()): void {
    const jump = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(jump) < notableMs) return;
    this.#lastJump = performance.now();
    const seconds = Math.round(jump / 1000);
    this.#log.warn({ seconds }, 'the clock of this machine has jumped');
  }

  /** `failed`: never set. `wrong`: a recent jump, or over a minute off the clock of the database. */
  get state(): HealthState {
    const now = this.#clock.now().getTime();
    if (now < earliest) return 'failed';
    const hasJumped = performance.now() - this.#lastJump < JUMP_REPORTED_MS;
    return hasJumped || Math.abs(now - Date.now()) > notableMs ? 'wrong' : 'ok';
  }
}
