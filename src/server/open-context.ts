// Builds the Context. This is a file of its own, so that a command does not load the whole server.

import { ConfigError } from '../node/config-error.ts';
import type { Config } from './config/config.ts';
import type { Clock } from '../node/async/clock.ts';
import { byServer, type Context } from './context/context.ts';
import { prepareDataDir } from '../runner/workspace/data-dir.ts';
import { followClock } from './db/clock.ts';
import { databaseFailure } from './db/failure.ts';
import { refuseUnfinished } from './db/move/unfinished.ts';
import { databaseFile, openDatabase } from './db/open.ts';
import { requireSuitablePostgres } from './db/suitable-postgres.ts';
import { isOfTls, isUnreachable } from './db/unreachable.ts';
import { openMasterKeys } from './vault/master-keys.ts';
import { createVault } from './vault/vault.ts';
import { createHub } from './live/hub.ts';
import { createPostgresHub } from './live/hub-postgres.ts';
import type { Log } from '../node/log/log.ts';
import { silentTelemetry } from './lib/telemetry/telemetry.ts';
import { closeFiles } from '../runner/workspace/run-users.ts';
import { refuseUnfinishedRestore } from './administration/installation-backup/unfinished-restore.ts';
import { keepAddressesRelative } from './administration/installation/relative-addresses.ts';
import { checkMasterKey, isUnsealed } from './administration/installation/check-master-key.ts';
import { installationId } from './administration/installation/installation-id.ts';
import { recordUpgrade, upgradeDatabase, type Upgrade } from './administration/upgrade/upgrade.ts';

export interface ContextParts {
  config: Config;
  log: Log;
  clock?: Clock;
}

const ownClock = { now: () => new Date(), close: () => undefined };

interface OpenContext extends Context {
  /** What was done to bring the database to the newest form; null: nothing. */
  upgrade: Upgrade | null;
  close: () => Promise<void>;
}

/** Opens the data folder, the database with its newest tables, and the master key. */
export async function openContext(parts: ContextParts): Promise<OpenContext> {
  const { config, log } = parts;
  await prepareDataDir(config);
  refuseUnfinishedRestore(config.dataDir);
  const { databaseUrl } = config;
  const db = open(config);
  try {
    if (databaseUrl !== null) {
      await requireSuitablePostgres(databaseUrl);
      await refuseUnfinished(db);
    }
    const upgrade = await upgradeDatabase({ config, db, log });
    const vault = createVault(openMasterKeys(config, await isUnsealed(db)));
    await checkMasterKey(db, vault);
    await keepAddressesRelative(db, config.dataDir);
    const clock = databaseUrl === null ? ownClock : await followClock(db, log);
    const hub = databaseUrl === null ? createHub() : await createPostgresHub(databaseUrl, db, log);
    // The files that were just created: the database and the master key.
    await closeFiles(config);
    const installation = await installationId(db);
    const own = { config, db, hub, vault, clock: parts.clock ?? clock, log, installation };
    const ctx = { ...own, telemetry: silentTelemetry, by: byServer };
    if (upgrade) await recordUpgrade(ctx, upgrade);
    return {
      ...ctx,
      upgrade,
      close: async () => {
        clock.close();
        await hub.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error instanceof ConfigError ? error : explained(config, error);
  }
}

function open(config: Config): ReturnType<typeof openDatabase> {
  try {
    return openDatabase(config.databaseUrl ?? `sqlite:${databaseFile(config)}`);
  } catch (error) {
    throw explained(config, error);
  }
}

/** The error as a sentence, if its reason is outside the program. */
function explained(config: Config, error: unknown): unknown {
  if (isUnreachable(error)) return unreachable(error);
  return databaseFailure(config.databaseUrl === null ? databaseFile(config) : null, error) ?? error;
}

export const unreachable = (cause: Error): ConfigError =>
  new ConfigError(
    `The database that SIGNALBOX_DATABASE_URL names cannot be reached: ${cause.message || 'no answer'}. ${isOfTls(cause) ? encrypt : 'Start it or correct the address'}, and start again.`,
    { cause },
  );

const encrypt =
  'This is about TLS: name the certificate of its authority with sslrootcert=FILE in the address, or correct sslmode';
