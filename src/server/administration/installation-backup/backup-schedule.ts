// Scheduled backups of the installation. The due time is a unique row, so that exactly one of several
// servers makes the backup. Of missed times only the last one is made up for; a backup whose server has
// ended is made again by its next start. A failed one is retried a few times before the next due time.

import type { HealthState, SystemFigures } from '#shared/api/system.ts';
import { ConfigError } from '../../../node/config-error.ts';
import { BackgroundLoop } from '../../context/background-loop.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { record } from '../../events/events.ts';
import { findFault, listPassed, nextDue } from '../../lib/cron.ts';
import { backUpInProcess, type BackupOutcome } from './backup-process.ts';
import {
  claimDue,
  deleteBefore,
  findLastDue,
  findNewest,
  noteBeginning,
  noteEnd,
  reclaimDue,
  forgetFile,
  listFiles,
} from './scheduled-backups.store.ts';
import { lstat, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isBackupName } from './backup-name.ts';

export type RunBackup = typeof backUpInProcess;

// How long after its due time a backup is late.
const graceMs = 60 * 60_000;
// One that takes longer counts as lost.
const MAX_BACKUP_MS = 24 * 60 * 60_000;
const minuteMs = 60_000;
/** The pauses before the retries. */
const retryPausesMs = [5, 15, 45, 120].map((minutes) => minutes * minuteMs);
const keptRowsMs = 400 * 24 * 60 * 60_000;
const MAX_REASON_LENGTH = 500;

interface BackupAttempt {
  due: string;
  failures: number;
  outcome: BackupOutcome;
}

export class BackupSchedule {
  readonly #ctx: Context;
  readonly #run: RunBackup;
  readonly loop: BackgroundLoop;
  readonly #server: string;
  /** An outcome that is not stored yet. */
  #made: BackupAttempt | null = null;
  /** The next retry; `at` is in milliseconds since the epoch. */
  #failed: { due: string; failures: number; at: number } | null = null;

  constructor(ctx: Context, run: RunBackup = backUpInProcess) {
    this.#ctx = ctx;
    this.#run = run;
    this.#server = `${ctx.config.serverName} ${ctx.config.dataDir}`;
    this.loop = new BackgroundLoop(ctx, {
      name: 'backups',
      run: () => this.#takeRound(),
      // The clock may jump.
      pause: { maxMs: 60_000 },
      failure: 'scheduled backup failed to start',
    });
  }

  get #timing() {
    const { backups, zone } = this.#ctx.config;
    return { cron_format: backups?.schedule ?? '', time_zone: zone.name };
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
    this.loop.start();
  }

  /** A backup that is being made when the loop closes is killed; the next start makes it. */
  async #takeRound(): Promise<Date | string | null> {
    const { db, clock } = this.#ctx;
    if (this.#made) await this.#finish(this.#made);
    const now = clock.now();
    // Begun by this server before it ended, or before an error of the database.
    const begun = await reclaimDue(db, this.#server, now.toISOString());
    if (begun !== null) await this.#make(begun);
    const next = nextDue(this.#timing, (await findLastDue(db)) ?? now);
    if (next === null) return null;
    if (Date.parse(next) > now.getTime()) {
      const failed = this.#failed;
      if (failed && failed.at <= now.getTime()) await this.#make(failed.due, failed.failures);
      return next;
    }
    // One second later, because the end is not part of what is listed.
    const { newest } = await listPassed(this.#timing, next, new Date(now.getTime() + 1000));
    const due = newest.at(-1) ?? next;
    const claim = { due, server: this.#server, now: now.toISOString() };
    if (await claimDue(db, claim)) await this.#make(due);
    return clock.now();
  }

  async #make(due: string, failures = 0): Promise<void> {
    const { config } = this.#ctx;
    const { backups } = config;
    if (!backups) return;
    this.#failed = null;
    const outcome = await this.#run(config, backups.folder, this.loop.closing).catch(
      (error: unknown): BackupOutcome => ({ failure: String(error) }),
    );
    // Killed with this server: its row stays unfinished.
    if (this.loop.closing.aborted) return;
    this.#made = { due, failures, outcome };
    await this.#finish(this.#made);
  }

  /** Stores the outcome; called again after an error of the database. */
  async #finish({ due, failures, outcome }: BackupAttempt): Promise<void> {
    const { config, log, db, clock } = this.#ctx;
    await this.#note(due, outcome, failures);
    this.#made = null;
    if ('failure' in outcome) {
      const reason = outcome.failure;
      log.error({ reason }, 'scheduled backup failed');
      const pause = retryPausesMs[failures];
      if (pause === undefined) return;
      this.#failed = { due, failures: failures + 1, at: clock.now().getTime() + pause };
      return;
    }
    log.info(outcome, 'installation backup completed');
    if (config.backups) await rotateBackups(this.#ctx, this.#server, config.backups);
    await deleteBefore(db, new Date(Date.parse(due) - keptRowsMs).toISOString());
  }

  async #note(due: string, outcome: BackupOutcome, failures: number): Promise<void> {
    const end = this.#ctx.clock.now().toISOString();
    const failure = 'failure' in outcome ? outcome.failure.slice(0, MAX_REASON_LENGTH) : null;
    const made = 'failure' in outcome ? { file: null, bytes: null } : outcome;
    await inTransaction(this.#ctx, async (inner) => {
      await noteEnd(inner.db, due, { ...made, end, failure });
      // A failure is recorded once, not for each retry.
      if (failure !== null && failures > 0) return;
      await record(inner, {
        code: failure === null ? 'installation.backed_up' : 'installation.backup_failed',
        projectId: null,
        object: { type: 'installation', id: null, name: '' },
        params: failure === null ? { file: made.file ?? '' } : { reason: failure },
      });
    });
  }

  /** `off`: no schedule. `late`: an hour after a due time without a successful backup. */
  async state(): Promise<HealthState> {
    const { config, db, clock } = this.#ctx;
    if (!config.backups) return 'off';
    const { ended, good, underWay, first } = await findNewest(db);
    if (ended && ended.failure !== null) return 'failed';
    const now = clock.now().getTime();
    if (underWay && now - Date.parse(underWay.started) < MAX_BACKUP_MS) return 'ok';
    const next = nextDue(this.#timing, good?.due ?? first?.due ?? clock.now());
    return next !== null && now - Date.parse(next) > graceMs ? 'late' : 'ok';
  }
}

/** The last successful scheduled backup. */
export async function getBackups({ db, config }: Context): Promise<SystemFigures['backups']> {
  const { ended, good } = await findNewest(db);
  return {
    scheduled: config.backups !== null,
    last: good?.end ?? null,
    bytes: good?.bytes ?? null,
    failure: ended?.failure ?? null,
  };
}

// Removes the oldest scheduled backups: only files that the schedule of this installation has made, with a
// name of a backup, in the folder of the settings. Other files are never removed.

/** Called when the newest backup was read back successfully. */
async function rotateBackups(
  ctx: Context,
  server: string,
  { folder, keep }: { folder: string; keep: number },
): Promise<void> {
  const here = (await listFiles(ctx.db)).filter(
    ({ file }) => file !== null && dirname(file) === resolve(folder),
  );
  for (const { id, file, server: maker } of here.slice(Math.max(1, keep))) {
    if (file === null || !isBackupName(basename(file))) continue;
    const found = await lstat(file).catch(() => null);
    if (found?.isFile()) await rm(file);
    // A missing file may be on the disk of another server.
    else if (found !== null || maker !== server) continue;
    await forgetFile(ctx.db, id);
  }
}
