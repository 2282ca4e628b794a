import type { AlertEvent } from '#shared/alerts.ts';
import type { AlertChannel } from '#shared/api/alert-channels.ts';
import type { Db } from '../../db/open.ts';
import { toPlain, type Plain } from '../../db/plain-row.ts';
import { resourceStore } from '../../db/resource.ts';
import type { Row } from '../../db/tables.ts';

/** A channel without its templates and workflows, which are read separately, and without `available`. */
export type BareChannel = Omit<AlertChannel, 'template_ids' | 'workflow_ids' | 'available'>;

interface ChannelJson {
  events: AlertEvent[];
  addresses: string[];
}

/** For the API: without address and secret. */
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

/** The templates and workflows to which a channel is limited. */
export interface Limits {
  template_ids: number[];
  workflow_ids: number[];
}

/** Limits by channel id, of the whole project or of one channel. */
export async function listLimits(
  db: Db,
  projectId: number,
  channelId?: number,
): Promise<Map<number, Limits>> {
  let templates = db
    .selectFrom('alert_channel_templates')
    .select(['channel_id', 'template_id'])
    .where('project_id', '=', projectId)
    .orderBy('template_id');
  let workflows = db
    .selectFrom('alert_channel_workflows')
    .select(['channel_id', 'workflow_id'])
    .where('project_id', '=', projectId)
    .orderBy('workflow_id');
  if (channelId !== undefined) {
    templates = templates.where('channel_id', '=', channelId);
    workflows = workflows.where('channel_id', '=', channelId);
  }
  const limits = new Map<number, Limits>();
  const of = (id: number): Limits => {
    const known = limits.get(id) ?? { template_ids: [], workflow_ids: [] };
    limits.set(id, known);
    return known;
  };
  for (const row of await templates.execute())
    of(row.channel_id).template_ids.push(row.template_id);
  for (const row of await workflows.execute())
    of(row.channel_id).workflow_ids.push(row.workflow_id);
  return limits;
}

export async function replaceLimits(
  db: Db,
  projectId: number,
  channelId: number,
  { template_ids, workflow_ids }: Limits,
): Promise<void> {
  const of = { project_id: projectId, channel_id: channelId };
  await db.deleteFrom('alert_channel_templates').where('channel_id', '=', channelId).execute();
  await db.deleteFrom('alert_channel_workflows').where('channel_id', '=', channelId).execute();
  if (template_ids.length > 0) {
    const rows = template_ids.map((template_id) => ({ ...of, template_id }));
    await db.insertInto('alert_channel_templates').values(rows).execute();
  }
  if (workflow_ids.length > 0) {
    const rows = workflow_ids.map((workflow_id) => ({ ...of, workflow_id }));
    await db.insertInto('alert_channel_workflows').values(rows).execute();
  }
}

type SealedRow = Pick<
  Row<'alert_channels'>,
  'type' | 'active' | 'addresses' | 'chat' | 'address' | 'secret'
>;
export type SealedChannel = Plain<SealedRow, { addresses: string[] }>;

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

/** Active channels that receive alerts about a template or workflow. */
export async function listListening(
  db: Db,
  projectId: number,
  about: { template: number } | { workflow: number },
): Promise<{ id: number; events: AlertEvent[] }[]> {
  const rows = await db
    .selectFrom('alert_channels')
    .select(['id', 'events'])
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .where(({ or, and, not, exists, selectFrom }) => {
      const templates = selectFrom('alert_channel_templates')
        .select('template_id')
        .whereRef('channel_id', '=', 'alert_channels.id');
      const workflows = selectFrom('alert_channel_workflows')
        .select('workflow_id')
        .whereRef('channel_id', '=', 'alert_channels.id');
      const named =
        'template' in about
          ? exists(templates.where('template_id', '=', about.template))
          : exists(workflows.where('workflow_id', '=', about.workflow));
      return or([and([not(exists(templates)), not(exists(workflows))]), named]);
    })
    .orderBy('id')
    .execute();
  const columns = { events: 'json' } as const;
  return rows.map((row) => toPlain<typeof row, { events: AlertEvent[] }>(columns, row));
}

/** The ids that belong to the project. */
export async function listKnown(
  db: Db,
  table: 'templates' | 'workflows',
  projectId: number,
  ids: number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}
