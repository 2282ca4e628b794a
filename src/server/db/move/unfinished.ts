// Recognises a PostgreSQL database with a move that is not finished.

import { sql } from 'kysely';
import { ConfigError } from '../../../runner/system/config.ts';
import type { Db } from '../open.ts';

/** The table that exists until the move is finished. */
export const mark = 'signalbox_move';

export async function refuseUnfinished(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass(${mark})::text as name`.execute(db);
  if (!rows[0]?.name) return;
  throw new ConfigError(
    'The move into the database that SIGNALBOX_DATABASE_URL names has not come to its end. Go on ' +
      'with "signalbox migrate --from sqlite", or name an empty database.',
  );
}
