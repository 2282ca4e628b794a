// Notices when the event loop stands still: nobody is answered in such a moment, no log is read and
// no heartbeat is sent. The log says what was under way, since a look from outside comes too late.

import type { Log } from './log.ts';

/** Milliseconds: what is worth telling, how often the loop is looked at, how long it stays known. */
const stallTime = 1000;
const tickTime = 250;
const knownTime = 5 * 60_000;

/** Names what the process has in hand; no secrets. */
export interface UnderWay {
  requests: { method: string; path: string; ms: number; request_id: string }[];
  /** Ids of the tasks that run here, whose logs are read. */
  tasks: number[];
}

export class StallWatch {
  readonly #log: Log;
  readonly #underWay: () => UnderWay;
  #tick = performance.now();
  #cpu = process.cpuUsage();
  #lastStall = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** `underWay`: since it was last asked, too. */
  constructor(log: Log, underWay: () => UnderWay) {
    this.#log = log;
    this.#underWay = underWay;
  }

  start(): void {
    this.#tick = performance.now();
    this.#timer = setInterval(() => this.#look(), tickTime);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** There was a stall in the last minutes. */
  get isSlow(): boolean {
    return performance.now() - this.#lastStall < knownTime;
  }

  #look(): void {
    const now = performance.now();
    const ms = Math.round(now - this.#tick - tickTime);
    const { user, system } = process.cpuUsage(this.#cpu);
    const underWay = this.#underWay();
    this.#tick = now;
    this.#cpu = process.cpuUsage();
    if (ms < stallTime) return;
    this.#lastStall = now;
    // Little of the processor: it waited for a disk, or the machine gave it no time.
    const facts = { ms, cpu_ms: Math.round((user + system) / 1000), ...shortened(underWay) };
    this.#log.warn(facts, 'the event loop stood still: nothing was answered meanwhile');
  }
}

const most = 20;

const shortened = ({ requests, tasks }: UnderWay): UnderWay => ({
  requests: requests.toSorted((one, other) => other.ms - one.ms).slice(0, most),
  tasks: tasks.slice(0, most),
});
