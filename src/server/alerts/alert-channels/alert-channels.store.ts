import type { AlertEvent } from '#shared/alerts.ts';
import type { AlertChannel } from '#shared/api/alert-channels.ts';
import type { Db } from '../../db/open.ts';
import { toPlain, type Plain } from '../../db/plain-row.ts';
import { resourceStore } from '../../db/resource.ts';
import type { Row } from '../../db/tables.ts';

/** A channel without its templates, which are read separately, and without what the settings decide. */
export type BareChannel = Omit<AlertChannel, 'template_ids' | 'available'>;

interface ChannelJson {
  events: AlertEvent[];
  addresses: string[];
}

/** Channels for the API: without address and secret. */
export const channelStore = resourceStore<'alert_channels', BareChannel, ChannelJson>(
  'alert_channels',
  {
    columns: { active: 'flag', events: 'json', addresses: 'json' },
    toEntity: ({ id, project_id, name, type, active, events, addresses, chat, host, secret }) => ({
      id,
      project_id,
      name,
      type,
      active,
      events,
      addresses,
      chat,
      host,
      has_secret: secret !== null,
    }),
  },
);

/** The templates of each channel of the project, or of one channel, by the id of the channel. */
export async function listTemplatesOf(
  db: Db,
  projectId: number,
  channelId?: number,
): Promise<Map<number, number[]>> {
  let query = db
    .selectFrom('alert_channel_templates')
    .select(['channel_id', 'template_id'])
    .where('project_id', '=', projectId)
    .orderBy('template_id');
  if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
  const ids = new Map<number, number[]>();
  for (const { channel_id: channel, template_id: template } of await query.execute()) {
    ids.set(channel, [...(ids.get(channel) ?? []), template]);
  }
  return ids;
}

export async function replaceTemplates(
  db: Db,
  projectId: number,
  channelId: number,
  templateIds: number[],
): Promise<void> {
  await db.deleteFrom('alert_channel_templates').where('channel_id', '=', channelId).execute();
  if (templateIds.length === 0) return;
  const rows = templateIds.map((id) => ({
    project_id: projectId,
    channel_id: channelId,
    template_id: id,
  }));
  await db.insertInto('alert_channel_templates').values(rows).execute();
}

type SealedRow = Pick<
  Row<'alert_channels'>,
  'type' | 'active' | 'addresses' | 'chat' | 'address' | 'secret'
>;
export type SealedChannel = Plain<SealedRow, { addresses: string[] }>;

/** A channel with its sealed address and secret. */
export async function findSealed(
  db: Db,
  projectId: number,
  id: number,
): Promise<SealedChannel | null> {
  const row = await db
    .selectFrom('alert_channels')
    .select(['type', 'active', 'addresses', 'chat', 'address', 'secret'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  const columns = { active: 'flag', addresses: 'json' } as const;
  return row ? toPlain<SealedRow, { addresses: string[] }>(columns, row) : null;
}

/** The active channels of a project that get alerts about a template, with their events. */
export async function listListening(
  db: Db,
  projectId: number,
  templateId: number,
): Promise<{ id: number; events: AlertEvent[] }[]> {
  const rows = await db
    .selectFrom('alert_channels')
    .select(['id', 'events'])
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .where(({ or, not, exists, selectFrom }) => {
      const named = selectFrom('alert_channel_templates')
        .select('template_id')
        .whereRef('channel_id', '=', 'alert_channels.id');
      return or([not(exists(named)), exists(named.where('template_id', '=', templateId))]);
    })
    .orderBy('id')
    .execute();
  const columns = { events: 'json' } as const;
  return rows.map((row) => toPlain<typeof row, { events: AlertEvent[] }>(columns, row));
}

/** The ids of those of these templates that belong to the project. */
export async function listKnownTemplates(
  db: Db,
  projectId: number,
  ids: number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('templates')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}
