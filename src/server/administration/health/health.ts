// Health checks for load balancers and monitors.

import { setTimeout as delay } from 'node:timers/promises';
import {
  type HealthState,
  healthParts,
  type HealthStates,
  type RecentFigures,
} from '#shared/api/system.ts';
import { isNewerAnsible } from '#shared/tried-ansible.ts';
import type { Context } from '../../context/context.ts';
import { isFollowUpStuck } from '../../automation/tasks/ends/follow-ups.ts';
import { fail } from '../../lib/errors.ts';
import { getRunners } from '../../runners/administration.ts';
import { hasControlGroups } from '../../../node/process/own-control-group.ts';
import { EventLoopWatch, type ActiveWork } from '../../../node/log/event-loop-watch.ts';
import { ClockWatch } from './clock-watch.ts';
import { DiskWatch, writeToDatabase, writeToFolder } from './disk-watch.ts';
import { FiguresSampler } from './recent-figures.ts';
import { readOldestDue } from './system-stats.store.ts';
import { askDatabase } from '../installation/settings.ts';

// A database that responds later than this counts as down.
const MAX_ANSWER_MS = 2000;
// A due task that has waited longer than this is late.
const MAX_WAIT_MS = 15 * 60_000;
// Milliseconds for which the states are cached.
const freshMs = 1000;

export interface RunnerHealth {
  runner: HealthState;
  queue: HealthState;
  /** The output of `ansible --version`; empty: not installed. */
  ansibleVersion: string;
}

export interface HealthSources {
  runnerHealth: () => RunnerHealth;
  underWay: () => ActiveWork;
  backups: () => Promise<HealthState>;
  /** Whether requests come through a proxy that is not trusted. */
  isProxyUntrusted: () => boolean;
}

export class HealthWatch {
  readonly #ctx: Context;
  readonly #sources: HealthSources;
  readonly #disk: DiskWatch;
  readonly #stalls: EventLoopWatch;
  readonly #clock: ClockWatch;
  readonly #sampler: FiguresSampler;
  #states: HealthStates | null = null;
  #lookedAt = -Infinity;
  #looking: Promise<HealthStates> | null = null;
  #isDraining = false;

  constructor(ctx: Context, sources: HealthSources) {
    this.#ctx = ctx;
    this.#sources = sources;
    this.#disk = new DiskWatch(ctx);
    this.#stalls = new EventLoopWatch(ctx.log, sources.underWay, (ms) => {
      ctx.telemetry.count('signalbox_event_loop_stalls_total', {});
      ctx.telemetry.count('signalbox_event_loop_stall_seconds_total', {}, ms / 1000);
    });
    this.#clock = new ClockWatch(ctx);
    this.#sampler = new FiguresSampler(ctx);
  }

  async start(): Promise<void> {
    await this.#disk.start();
    this.#stalls.start();
    this.#clock.start();
    this.#sampler.start();
  }

  close(): void {
    this.drain();
    this.#disk.close();
    this.#stalls.close();
    this.#clock.close();
    this.#sampler.close();
  }

  /** Makes the server unready before it shuts down. */
  drain(): void {
    this.#isDraining = true;
  }

  get recentFigures(): RecentFigures[] {
    return this.#sampler.recent;
  }

  /** The states of all parts; refused when a needed part has failed. */
  async check(): Promise<HealthStates & { status: 'ok' }> {
    const states = await this.#fresh();
    if (failuresOf(states).length > 0) throw fail('system.not_ready', { ...states });
    return { status: 'ok', ...states };
  }

  /** Why the server is not ready, as short codes; empty: it is ready. */
  async reasons(): Promise<string[]> {
    const failures = failuresOf(await this.#fresh());
    return this.#isDraining ? ['draining', ...failures] : failures;
  }

  /** The states of all parts, and whether requests should go to this server. */
  async look(): Promise<{ states: HealthStates; isReady: boolean }> {
    const states = await this.#fresh();
    return { states, isReady: !this.#isDraining && failuresOf(states).length === 0 };
  }

  async #fresh(): Promise<HealthStates> {
    if (this.#states && performance.now() - this.#lookedAt < freshMs) return this.#states;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<HealthStates> {
    const [{ disk, isDatabaseFull }, stored, isFolderWritable] = await Promise.all([
      this.#disk.room(),
      this.#askDatabase(),
      this.#isDone(writeToFolder(this.#ctx), 'the data folder cannot be written'),
    ]);
    const { runner, queue, ansibleVersion } = this.#sources.runnerHealth();
    const states: HealthStates = {
      database: stored.isAnswering ? (isDatabaseFull ? 'full' : 'ok') : 'failed',
      writing: isFolderWritable && stored.isWritable ? 'ok' : 'failed',
      disk,
      clock: this.#clock.state,
      queue: queue === 'ok' && stored.isLate ? 'late' : queue,
      runner,
      runners: stored.runners,
      event_loop: this.#stalls.isSlow ? 'slow' : 'ok',
      backups: stored.backups,
      follow_ups: stored.followUps,
      control_groups: hasControlGroups() ? 'ok' : 'off',
      proxies: this.#sources.isProxyUntrusted() ? 'wrong' : 'ok',
      ansible: stateOfAnsible(ansibleVersion),
    };
    this.#states = states;
    this.#lookedAt = performance.now();
    return states;
  }

  /** Reports each cause once: without a database connection, nothing else of the database. */
  async #askDatabase() {
    const ctx = this.#ctx;
    const isAnswering = await this.#isDone(askDatabase(ctx.db), 'the database does not answer');
    const read = {
      isLate: false,
      runners: 'failed' as HealthState,
      backups: 'failed' as HealthState,
      followUps: 'failed' as HealthState,
    };
    if (!isAnswering) return { ...read, isAnswering, isWritable: true, backups: 'off' as const };
    const reading = async (): Promise<void> => {
      read.isLate = await isQueueLate(ctx);
      read.runners = await stateOfRunners(ctx);
      read.backups = await this.#sources.backups();
      read.followUps = (await isFollowUpStuck(ctx)) ? 'failed' : 'ok';
    };
    const [isWritable] = await Promise.all([
      this.#isDone(writeToDatabase(ctx), 'the database cannot be written'),
      this.#isDone(reading(), 'the queue and the runners cannot be read'),
    ]);
    return { isAnswering, isWritable, ...read };
  }

  /** Whether the work succeeds in time. */
  async #isDone(work: Promise<void>, words: string): Promise<boolean> {
    const late = new AbortController();
    return Promise.race([
      work.then(() => true),
      delay(MAX_ANSWER_MS, false, { signal: late.signal }),
    ])
      .catch((error: unknown) => {
        this.#ctx.log.warn({ err: error }, words);
        return false;
      })
      .finally(() => late.abort());
  }
}

// The server is ready without these.
const spared = new Set<keyof HealthStates>(['runners', 'backups', 'follow_ups']);
const needed = healthParts.filter((part) => !spared.has(part));

/** The failed parts that the server needs, each with its state. */
const failuresOf = (states: HealthStates): string[] =>
  needed
    .filter((part) => states[part] === 'failed' || states[part] === 'full')
    .map((part) => `${part}_${states[part]}`);

function stateOfAnsible(printed: string): HealthState {
  if (printed === '') return 'off';
  return isNewerAnsible(printed) ? 'new' : 'ok';
}

async function isQueueLate(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now();
  const oldest = await readOldestDue(ctx.db, now.toISOString());
  return oldest !== null && now.getTime() - Date.parse(oldest) > MAX_WAIT_MS;
}

async function stateOfRunners(ctx: Context): Promise<HealthState> {
  const states = (await getRunners(ctx))
    .filter(({ role }) => role !== 'web')
    .map(({ state }) => state);
  if (!states.includes('ready')) return 'failed';
  return states.includes('silent') ? 'silent' : 'ok';
}
