// Upgrades the database: a copy, then all migrations or none.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ConfigError } from '../../../node/config-error.ts';
import { isDiskFull } from '../../../node/fs/disk-full.ts';
import { heard, type Log } from '../../../node/log/log.ts';
import { version } from '../../../node/process/version.ts';
import type { Config } from '../../config/config.ts';
import {
  MigrationFailed,
  NewerDatabase,
  noteVersion,
  runMigrations,
  type MigrationRun,
  type PendingMigrations,
} from '../../db/migrations/migrate.ts';
import type { Tables } from '../../db/tables.ts';
import { isUnreachable } from '../../db/unreachable.ts';
import { copyBefore, type DatabaseCopy, copiesFolder } from './copy-before.ts';
import { basename } from 'node:path';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';

export interface Upgrade {
  /** The newest migration that the database had before. */
  from: string;
  runs: MigrationRun[];
  /** Null: switched off. */
  copy: DatabaseCopy | null;
}

interface Parts {
  config: Config;
  db: Kysely<Tables>;
  log: Log;
  /** Tests pass their own migrations. */
  list?: Record<string, Migration>;
}

/** Null: the database was up to date, or empty. */
export async function upgradeDatabase({ config, db, log, list }: Parts): Promise<Upgrade | null> {
  const found: { from: string | null; copy: DatabaseCopy | null } = { from: null, copy: null };
  const upgradeLog = heard(log);
  const before = async ({ last, pending }: PendingMigrations): Promise<void> => {
    found.from = last;
    upgradeLog.info({ version, from: last, to: pending.at(-1) }, 'the database is upgraded');
    if (config.upgradeBackup) found.copy = await copyBefore(config, last);
    upgradeLog.info({ ...found.copy }, found.copy ? words.copied : words.notCopied);
  };
  const runs = await runMigrations(db, { before, ...(list && { list }) }).catch(
    (error: unknown) => {
      throw explained(error, { config, log }, found.copy);
    },
  );
  if (runs.length === 0) return null;
  await noteVersion(db);
  if (found.from === null) return null;
  for (const { name, ms } of runs) upgradeLog.info({ migration: name, ms }, 'a migration has run');
  return { from: found.from, runs, copy: found.copy };
}

const words = {
  copied: 'a copy of the database from before the upgrade was made and read back',
  notCopied: 'no copy is made before the upgrade: SIGNALBOX_UPGRADE_BACKUP is off',
};

function explained(
  error: unknown,
  { config, log }: Pick<Parts, 'config' | 'log'>,
  copy: DatabaseCopy | null,
): unknown {
  if (error instanceof NewerDatabase) {
    return new ConfigError(
      `${error.message} Copies from before upgrades lie in ${copiesFolder(config.dataDir)}.`,
      { cause: error },
    );
  }
  // These two have messages of their own, and are no faults of a migration.
  if (isDiskFull(error) || isUnreachable(error)) return error;
  if (!(error instanceof MigrationFailed)) return error;
  log.error({ err: error }, 'database upgrade failed');
  const { message } = error.cause as Error;
  const kept = copy === null ? '' : ` A copy of it is ${copy.file}.`;
  return new ConfigError(
    `${error.message}: ${message}. All migrations were undone, so the database is as it was, and the version before can go on with it.${kept} Start the version before again, and report this with the log of the server.`,
    { cause: error },
  );
}

// Reports an upgrade of the database as an event, and as text for the command line.

export async function recordUpgrade(ctx: Context, { runs, copy }: Upgrade): Promise<void> {
  const event = {
    projectId: null,
    object: { type: 'installation', id: null, name: version },
  } as const;
  const params = { amount: runs.length };
  if (copy === null) {
    await record(ctx, { ...event, code: 'installation.upgraded_without_copy', params });
  } else {
    const file = basename(copy.file);
    await record(ctx, {
      ...event,
      code: 'installation.upgraded',
      params: { ...params, copy: file },
    });
  }
}

export function wordsOf({ from, runs, copy }: Upgrade): string[] {
  const size = copy && `${(copy.bytes / 1e6).toFixed(1)} MB in ${copy.seconds.toFixed(1)} s`;
  return [
    copy ? `Copy of the database from before: ${copy.file} (${size}).` : 'No copy was made before.',
    `The database had the form ${from}. Migrations since then:`,
    ...runs.map(({ name, ms }) => `  ${name}: ${ms} ms`),
  ];
}
