import { sql } from 'kysely';
import { delivery, type Delivery } from '#shared/api/deliveries.ts';
import { deliveryMessage } from '#shared/catalogue/delivery-reasons.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Db } from '../../db/open.ts';
import { hasRow, insertRow } from '../../db/rows.ts';
import { fromPlain, toPlain, type Plain } from '../../db/plain-row.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import type { Owner } from './rules.store.ts';

type DeliveryJson = { params: Params };

const columns = { params: 'json' } as const;

const all = (db: Db, { projectId, integrationId }: Owner) =>
  db
    .selectFrom('integration_deliveries')
    .where('project_id', '=', projectId)
    .where('integration_id', '=', integrationId);

// All columns but the request, which may be large.
const shown = [...delivery.keyof().options, 'params'] as const;

type ShownRow = Pick<Row<'integration_deliveries'>, (typeof shown)[number]>;

function toDelivery(row: ShownRow): Delivery {
  const { reason: code, params, ...rest } = toPlain<ShownRow, DeliveryJson>(columns, row);
  return { ...rest, reason: { code, params, text: deliveryMessage({ code, params }) } };
}

/** Newest first. */
export async function listDeliveries(
  db: Db,
  owner: Owner,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Delivery[]> {
  let query = all(db, owner).select(shown).orderBy('id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query.execute()).map(toDelivery);
}

export async function findDelivery(db: Db, owner: Owner, id: number): Promise<Delivery | null> {
  const row = await all(db, owner).select(shown).where('id', '=', id).executeTakeFirst();
  return row ? toDelivery(row) : null;
}

/** The sealed request of a delivery. */
export async function findRequest(db: Db, owner: Owner, id: number): Promise<string | null> {
  const row = await all(db, owner).select('request').where('id', '=', id).executeTakeFirst();
  return row?.request ?? null;
}

/** Whether a delivery with this id of the sender has launched something. */
export async function hasStarted(db: Db, owner: Owner, senderId: string): Promise<boolean> {
  const same = all(db, owner).select('id').where('sender_id', '=', senderId);
  const row = await same.executeTakeFirst();
  return row !== undefined;
}

export function insertDelivery(
  db: Db,
  values: Omit<Plain<NewRow<'integration_deliveries'>, DeliveryJson>, 'id'>,
): Promise<number> {
  return insertRow(
    db,
    'integration_deliveries',
    fromPlain(columns, values) as NewRow<'integration_deliveries'>,
  );
}

/** Deletes all but the newest deliveries of an integration, or of those with these results. */
export async function pruneDeliveries(
  db: Db,
  integrationId: number,
  keep: number,
  results?: Delivery['result'][],
): Promise<void> {
  const of = () => {
    const query = db
      .selectFrom('integration_deliveries')
      .where('integration_id', '=', integrationId);
    return results === undefined ? query : query.where('result', 'in', results);
  };
  const oldest = of().select('id').orderBy('id', 'desc').limit(1).offset(keep);
  let deletion = db
    .deleteFrom('integration_deliveries')
    .where('integration_id', '=', integrationId)
    .where('id', '<=', sql<number>`(${oldest})`);
  if (results !== undefined) deletion = deletion.where('result', 'in', results);
  await deletion.execute();
}

export function isSignedKnown(db: Db, { integrationId }: Owner, signed: string): Promise<boolean> {
  return hasRow(db, 'integration_signed', { integration_id: integrationId, signed });
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
