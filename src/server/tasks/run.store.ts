// What is kept of a run while it goes on.

import type { Db } from '../db/open.ts';

/** A further command of a run begins; what it prints is read from its first byte. */
export async function updateStep(
  db: Db,
  id: number,
  { step, commands }: { step: number; commands: string[] },
): Promise<void> {
  const values = { step, commands: JSON.stringify(commands), spool_offset: 0 };
  await db.updateTable('tasks').set(values).where('id', '=', id).execute();
}

/** The tasks that wait in the middle of a run for somebody. */
export async function listParked(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('status', 'in', ['waiting_confirmation', 'confirmed'])
    .execute();
  return rows.map(({ id }) => id);
}
