// `signalbox migrate --from sqlite`: moves an installation from SQLite to PostgreSQL.

import { ConfigError } from '../../node/config-error.ts';
import { loadWholeConfig } from '../config/config.ts';
import { databaseFailure } from '../db/failure.ts';
import { counted, moveInstallation, type Compared } from '../db/move/move.ts';
import { Source } from '../db/move/source.ts';
import { databaseFile } from '../db/open.ts';
import { isUnreachable } from '../db/unreachable.ts';
import { openMasterKeys } from '../vault/master-keys.ts';
import { createVault } from '../vault/vault.ts';
import { unreachable } from '../open-context.ts';
import { isUnsealed, requireMasterKey } from '../administration/installation/check-master-key.ts';
import { print, printError, type Surroundings } from './surroundings.ts';

/** Returns the exit code. */
export async function moveFrom(at: Surroundings, from: string): Promise<number> {
  const config = await loadWholeConfig(at.environment);
  const url = config.databaseUrl;
  if (url === null) {
    throw new ConfigError(
      'Set SIGNALBOX_DATABASE_URL to the PostgreSQL database into which everything is to move.',
    );
  }
  const file = fileOf(from) ?? databaseFile(config);
  const source = new Source(file);
  try {
    const isOurs = source.tables().some(({ name }) => name === 'settings');
    if (!isOurs || (await isUnsealed(source.db))) {
      throw new ConfigError('The SQLite database holds no installation.');
    }
    const vault = createVault(openMasterKeys(config, false));
    const identity = await requireMasterKey(source.db, vault);
    const compared = await moveInstallation({
      source,
      identity,
      url,
      tell: (text) => print(at, text),
    });
    print(at, tableOf(compared));
    return conclude(at, compared);
  } catch (error) {
    throw isUnreachable(error) ? unreachable(error) : (databaseFailure(file, error) ?? error);
  } finally {
    await source.close();
  }
}

function fileOf(from: string): string | null {
  const [, file = null] = /^sqlite(?::(.+))?$/.exec(from) ?? fail(from);
  return file;
}

function fail(from: string): never {
  throw new ConfigError(`--from must be "sqlite" or "sqlite:FILE", and is "${from}".`);
}

const head = ['table', 'rows', 'rows there', 'checksum', 'checksum there', ''];

function tableOf(compared: Compared[]): string {
  const rows = compared.map(({ table, sqlite, postgres, isEqual }) => [
    table,
    counted(sqlite.rows),
    counted(postgres.rows),
    sqlite.checksum.slice(0, 16),
    postgres.checksum.slice(0, 16),
    isEqual ? 'equal' : 'UNEQUAL',
  ]);
  const all = [head, ...rows];
  const widths = head.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  const isNumber = (index: number): boolean => index === 1 || index === 2;
  const line = (row: string[]): string =>
    row
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return isNumber(index) ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

function conclude(at: Surroundings, compared: Compared[]): number {
  const unequal = compared.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
  if (unequal.length > 0) {
    printError(
      at,
      `Not the same on both sides: ${unequal.join(', ')}. No server starts on this database. ` +
        'Move into an empty one.',
    );
    return 1;
  }
  print(
    at,
    'Everything has been moved. The SQLite database is as it was.\n' +
      'Give every server that uses the PostgreSQL database the same master key: SIGNALBOX_MASTER_KEY, ' +
      'or master.key of the data folder.',
  );
  return 0;
}
