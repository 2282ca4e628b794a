// Detects that the event loop was blocked, without responses, logs and heartbeats, and logs what the process was doing,
// since that cannot be found out afterwards.

import type { Log } from './log.ts';

/** A longer block is logged; checked in each tick. */
const STALL_MS = 1000;
const TICK_MS = 250;
/** How long the process counts as slow after a stall. */
const SLOW_AFTER_STALL_MS = 5 * 60_000;

/** What the process is doing, without secrets. */
export interface ActiveWork {
  requests: { method: string; path: string; ms: number; request_id: string }[];
  tasks: number[];
}

export class EventLoopWatch {
  readonly #log: Log;
  readonly #underWay: () => ActiveWork;
  readonly #onStall: (ms: number) => void;
  #tick = performance.now();
  #cpu = process.cpuUsage();
  #lastStall = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** `underWay`: what runs now and what has ended since the last call; `onStall`: called with the length of a stall. */
  constructor(
    log: Log,
    underWay: () => ActiveWork,
    onStall: (ms: number) => void = () => undefined,
  ) {
    this.#log = log;
    this.#underWay = underWay;
    this.#onStall = onStall;
  }

  start(): void {
    this.#tick = performance.now();
    this.#timer = setInterval(() => this.#check(), TICK_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Whether there was a stall in the last minutes. */
  get isSlow(): boolean {
    return performance.now() - this.#lastStall < SLOW_AFTER_STALL_MS;
  }

  #check(): void {
    const now = performance.now();
    const ms = Math.round(now - this.#tick - TICK_MS);
    const { user, system } = process.cpuUsage(this.#cpu);
    const underWay = this.#underWay();
    this.#tick = now;
    this.#cpu = process.cpuUsage();
    if (ms < STALL_MS) return;
    this.#lastStall = now;
    this.#onStall(ms);
    // A small `cpu_ms` means that the process waited for a disk, or that the machine was too busy.
    const facts = { ms, cpu_ms: Math.round((user + system) / 1000), ...shortened(underWay) };
    this.#log.warn(facts, 'event loop blocked');
  }
}

const MAX_LISTED = 20;

const shortened = ({ requests, tasks }: ActiveWork): ActiveWork => ({
  requests: requests.toSorted((one, other) => other.ms - one.ms).slice(0, MAX_LISTED),
  tasks: tasks.slice(0, MAX_LISTED),
});
