// Recognises a PostgreSQL database with a move or a restore that is not finished.

import { sql } from 'kysely';
import { ConfigError } from '../../../node/config-error.ts';
import type { Db } from '../open.ts';

/** The table that exists until the move is finished. */
export const mark = 'signalbox_move';

/** The table that exists until a restore is finished. */
export const restoreMark = 'signalbox_restore';

export async function refuseUnfinished(db: Db): Promise<void> {
  if (await hasTable(db, restoreMark)) {
    throw new ConfigError(
      'A restore into the database that SIGNALBOX_DATABASE_URL names has not come to its end. Run ' +
        '"signalbox restore" again, with the same arguments, or name another database.',
    );
  }
  if (!(await hasTable(db, mark))) return;
  throw new ConfigError(
    'The move into the database that SIGNALBOX_DATABASE_URL names has not come to its end. Go on ' +
      'with "signalbox migrate --from sqlite", or name an empty database.',
  );
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass(${name})::text as name`.execute(db);
  return Boolean(rows[0]?.name);
}
