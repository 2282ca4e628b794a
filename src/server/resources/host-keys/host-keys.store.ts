import type { Db } from '../../db/open.ts';

/** Those of the names that are hosts of inventories and tasks. */
export async function listKnownHosts(
  db: Db,
  projectId: number,
  names: string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('hosts')
    .select('name')
    .where('project_id', '=', projectId)
    .where('name', 'in', names)
    .execute();
  return rows.map(({ name }) => name);
}
