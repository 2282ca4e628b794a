import type { Db } from '../../db/open.ts';
import type { Owner } from './rules.store.ts';

export async function isSignedKnown(
  db: Db,
  { integrationId }: Owner,
  signed: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('integration_signed')
    .select('signed')
    .where('integration_id', '=', integrationId)
    .where('signed', '=', signed)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertSigned(
  db: Db,
  { projectId, integrationId }: Owner,
  values: { signed: string; created: string },
): Promise<void> {
  const place = { project_id: projectId, integration_id: integrationId };
  await db
    .insertInto('integration_signed')
    .values({ ...place, ...values })
    .execute();
}

export async function removeSignedBefore(
  db: Db,
  { integrationId }: Owner,
  forgotten: string,
): Promise<void> {
  await db
    .deleteFrom('integration_signed')
    .where('integration_id', '=', integrationId)
    .where('created', '<=', forgotten)
    .execute();
}
