// Backs up the installation by a schedule. The due time is a row that only one server can insert, so
// that of several servers exactly one makes the backup. Of times that were missed, the last one is made
// up for; a backup whose server has ended meanwhile is made again by its next start.

import type { HealthState, SystemFigures } from '#shared/api/system.ts';
import { ConfigError } from '../../../runner/system/config.ts';
import { Rounds } from '../../../runner/system/rounds.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { record } from '../../events/events.ts';
import { findFault, listPassed, nextDue, serverZone } from '../../lib/cron.ts';
import { backUpInProcess, type BackupOutcome } from './backup-process.ts';
import { rotateBackups } from './rotate-backups.ts';
import {
  claimDue,
  deleteBefore,
  findLastDue,
  findNewest,
  noteBeginning,
  noteEnd,
  reclaimDue,
} from './scheduled-backups.store.ts';

export type RunBackup = typeof backUpInProcess;

// The clock may jump.
const longestPauseMs = 60_000;
// How long after its due time a backup is late.
const graceMs = 60 * 60_000;
// One that takes longer counts as lost.
const longestBackupMs = 24 * 60 * 60_000;
const keptRowsMs = 400 * 24 * 60 * 60_000;
const longestReason = 500;

export class BackupSchedule {
  readonly #ctx: Context;
  readonly #run: RunBackup;
  readonly #rounds: Rounds;
  readonly #closing = new AbortController();
  readonly #server: string;
  /** The due time of a backup that this server had begun before it ended. */
  #interrupted: string | null = null;

  constructor(ctx: Context, run: RunBackup = backUpInProcess) {
    this.#ctx = ctx;
    this.#run = run;
    this.#server = `${ctx.config.serverName} ${ctx.config.dataDir}`;
    this.#rounds = new Rounds({
      clock: ctx.clock,
      round: () => this.#round(),
      onError: (error) => ctx.log.error({ err: error }, 'the scheduled backup could not be begun'),
    });
  }

  get #timing() {
    const { backups } = this.#ctx.config;
    return { cron_format: backups?.schedule ?? '', time_zone: serverZone() };
  }

  /** Refuses a schedule that is wrong. */
  async start(): Promise<void> {
    const { config, db, clock } = this.#ctx;
    if (!config.backups) return;
    if (findFault(this.#timing)) {
      throw new ConfigError(
        `SIGNALBOX_BACKUP_SCHEDULE holds ${JSON.stringify(config.backups.schedule)}, which is never due or no cron expression.`,
      );
    }
    const now = clock.now().toISOString();
    await noteBeginning(db, this.#server, now);
    this.#interrupted = await reclaimDue(db, this.#server, now);
    this.#rounds.ask();
  }

  /** A backup that is being made is killed; the next start makes it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#rounds.close();
  }

  async #round(): Promise<Date | null> {
    const { db, clock } = this.#ctx;
    const interrupted = this.#interrupted;
    this.#interrupted = null;
    if (interrupted !== null) await this.#make(interrupted);
    const now = clock.now();
    const next = nextDue(this.#timing, (await findLastDue(db)) ?? now);
    if (next === null) return null;
    const wait = Date.parse(next) - now.getTime();
    if (wait > 0) return new Date(now.getTime() + Math.min(wait, longestPauseMs));
    // One second later, because the end is not part of what is listed.
    const { newest } = await listPassed(this.#timing, next, new Date(now.getTime() + 1000));
    const due = newest.at(-1) ?? next;
    const claim = { due, server: this.#server, now: now.toISOString() };
    if (await claimDue(db, claim)) await this.#make(due);
    return clock.now();
  }

  async #make(due: string): Promise<void> {
    const { config, log, db } = this.#ctx;
    const { backups } = config;
    if (!backups) return;
    const outcome = await this.#run(config, backups.folder, this.#closing.signal).catch(
      (error: unknown): BackupOutcome => ({ failure: String(error) }),
    );
    // Killed with this server: its row stays unfinished.
    if (this.#closing.signal.aborted) return;
    await this.#note(due, outcome);
    if ('failure' in outcome) {
      log.error({ reason: outcome.failure }, 'the scheduled backup of the installation has failed');
      return;
    }
    log.info(outcome, 'the installation was backed up');
    await rotateBackups(this.#ctx, this.#server, backups);
    await deleteBefore(db, new Date(Date.parse(due) - keptRowsMs).toISOString());
  }

  async #note(due: string, outcome: BackupOutcome): Promise<void> {
    const end = this.#ctx.clock.now().toISOString();
    const failure = 'failure' in outcome ? outcome.failure.slice(0, longestReason) : null;
    const made = 'failure' in outcome ? { file: null, bytes: null } : outcome;
    await inTransaction(this.#ctx, async (inner) => {
      await noteEnd(inner.db, due, { ...made, end, failure });
      await record(inner, {
        code: failure === null ? 'installation.backed_up' : 'installation.backup_failed',
        projectId: null,
        object: { type: 'installation', id: null, name: '' },
        params: failure === null ? { file: made.file ?? '' } : { reason: failure },
      });
    });
  }

  /** `off`: this server makes no backups. `late`: a due time has passed for an hour without a good one. */
  async state(): Promise<HealthState> {
    const { config, db, clock } = this.#ctx;
    if (!config.backups) return 'off';
    const { ended, good, underWay, first } = await findNewest(db);
    if (ended && ended.failure !== null) return 'failed';
    const now = clock.now().getTime();
    if (underWay && now - Date.parse(underWay.started) < longestBackupMs) return 'ok';
    const next = nextDue(this.#timing, good?.due ?? first?.due ?? clock.now());
    return next !== null && now - Date.parse(next) > graceMs ? 'late' : 'ok';
  }
}

/** The last good backup that a schedule has made. */
export async function seeBackups({ db, config }: Context): Promise<SystemFigures['backups']> {
  const { ended, good } = await findNewest(db);
  return {
    scheduled: config.backups !== null,
    last: good?.end ?? null,
    bytes: good?.bytes ?? null,
    failure: ended?.failure ?? null,
  };
}
