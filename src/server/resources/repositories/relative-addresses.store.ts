import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { beginningInJson, dataFolderMark } from './stored-address.ts';

/** Stores the addresses that lie in a data folder relative to it: those of repositories and of tasks. */
export async function makeRelative(db: Db, dataDir: string): Promise<void> {
  const prefixes = [
    [`${dataDir}/`, `${dataFolderMark}/`],
    [`file://${encodeURI(dataDir)}/`, `file://${dataFolderMark}/`],
  ] as const;
  for (const [from, to] of prefixes) {
    await sql`update repositories set git_url = ${to} || substr(git_url, length(cast(${from} as text)) + 1)
      where substr(git_url, 1, length(cast(${from} as text))) = ${from}`.execute(db);
    const [inJson, instead] = [beginningInJson(from), beginningInJson(to)];
    // LIKE only finds the rows: what it finds too much stays as it is.
    await sql`update tasks set snapshot = replace(snapshot, ${inJson}, ${instead})
      where snapshot like ${`%${inJson.replaceAll(/[\\%_]/g, '_')}%`}`.execute(db);
  }
}
