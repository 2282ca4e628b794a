import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

type BackupRow = Row<'installation_backups'>;

/** Adds a first row without file and failure, which stores when the schedule began. */
export async function noteBeginning(db: Db, server: string, now: string): Promise<void> {
  const found = await db.selectFrom('installation_backups').select('id').executeTakeFirst();
  if (found) return;
  await db
    .insertInto('installation_backups')
    .values({ due: now, server, started: now, end: now })
    .onConflict((conflict) => conflict.column('due').doNothing())
    .execute();
}

/** Claims a due time; false: another server has claimed it. */
export async function claimDue(
  db: Db,
  { due, server, now }: { due: string; server: string; now: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('installation_backups')
    .values({ due, server, started: now })
    .onConflict((conflict) => conflict.column('due').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The due time of a backup that this server had begun when it ended; null: there is none. */
export async function reclaimDue(db: Db, server: string, now: string): Promise<string | null> {
  const row = await db
    .selectFrom('installation_backups')
    .select('due')
    .where('server', '=', server)
    .where('end', 'is', null)
    .orderBy('due', 'desc')
    .executeTakeFirst();
  if (!row) return null;
  await db
    .updateTable('installation_backups')
    .set({ started: now })
    .where('due', '=', row.due)
    .execute();
  return row.due;
}

export async function noteEnd(
  db: Db,
  due: string,
  end: Pick<BackupRow, 'end' | 'file' | 'bytes' | 'failure'>,
): Promise<void> {
  await db.updateTable('installation_backups').set(end).where('due', '=', due).execute();
}

/** The last claimed due time, or when the schedule began. */
export async function findLastDue(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('installation_backups')
    .select(({ fn }) => fn.max('due').as('due'))
    .executeTakeFirst();
  return row?.due ?? null;
}

const newest = (db: Db) => db.selectFrom('installation_backups').selectAll().orderBy('due', 'desc');

/**
 * The newest backup that has ended, the newest successful one, the newest under way, and the oldest of all
 * rows.
 */
export async function findNewest(db: Db) {
  const [ended, good, underWay, first] = await Promise.all([
    newest(db).where('end', 'is not', null).executeTakeFirst(),
    newest(db).where('bytes', 'is not', null).executeTakeFirst(),
    newest(db).where('end', 'is', null).executeTakeFirst(),
    db.selectFrom('installation_backups').selectAll().orderBy('due').executeTakeFirst(),
  ]);
  return { ended, good, underWay, first };
}

/** The backups that have a file, the newest first. */
export const listFiles = (db: Db): Promise<BackupRow[]> =>
  newest(db).where('file', 'is not', null).execute();

/** Stores that the file of a backup is gone. */
export async function forgetFile(db: Db, id: number): Promise<void> {
  await db.updateTable('installation_backups').set({ file: null }).where('id', '=', id).execute();
}

/** Deletes the rows without a file before this due time. */
export async function deleteBefore(db: Db, due: string): Promise<void> {
  await db
    .deleteFrom('installation_backups')
    .where('file', 'is', null)
    .where('due', '<', due)
    .execute();
}
