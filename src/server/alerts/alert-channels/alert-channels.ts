import { randomUUID } from 'node:crypto';
import { alertErrors } from '#shared/catalogue/alert-errors.ts';
import { alertTypeNeeds } from '#shared/alerts.ts';
import type {
  AlertChannel,
  AlertChannelFields,
  AlertTestResult,
  EmptyAlertChannel,
} from '#shared/api/alert-channels.ts';
import { sendAlert, type AlertTarget } from '../send.ts';
import { seenBy, type Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import type { ListOptions, Versioned } from '../../db/resource.ts';
import { checkAll, fail, failFields, fieldError } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';
import { requireProject } from '../../projects/projects.ts';
import { resource, type Target } from '../../resources/resource.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  channelStore,
  findSealed,
  listKnown,
  listLimits,
  replaceLimits,
  type BareChannel,
  type Limits,
} from './alert-channels.store.ts';

export { listListening } from './alert-channels.store.ts';

const channels = resource(channelStore, 'alert_channels', 'alert_channel', 'alertChannels');

function complete<T extends BareChannel>(
  { config }: Context,
  channel: T,
  limits: Limits = { template_ids: [], workflow_ids: [] },
): T & AlertChannel {
  const available = channel.type !== 'email' || config.alerts.smtpUrl !== null;
  return { ...channel, ...limits, available };
}

export async function listChannels(
  ctx: Context,
  projectId: number,
  options: ListOptions,
): Promise<AlertChannel[]> {
  const list = await channelStore.list(ctx.db, projectId, options);
  const limits = await listLimits(ctx.db, projectId);
  return list.map((channel) => complete(ctx, channel, limits.get(channel.id)));
}

export async function requireChannel(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<Versioned<AlertChannel>> {
  const channel = await channels.require(ctx, projectId, id);
  const limits = await listLimits(ctx.db, projectId, id);
  return complete(ctx, channel, limits.get(id));
}

export async function createChannel(
  ctx: Context,
  projectId: number,
  input: AlertChannelFields,
): Promise<AlertChannel> {
  await checkAll([() => checkMail(ctx, input), () => checkLimits(ctx, projectId, input)]);
  await refuseUnseen(ctx, projectId, input);
  return insert(ctx, projectId, input);
}

/** Address and secret have to be added later. */
export async function createEmptyChannel(
  ctx: Context,
  projectId: number,
  input: EmptyAlertChannel,
): Promise<AlertChannel> {
  await checkLimits(ctx, projectId, input);
  return insert(ctx, projectId, { ...input, addresses: [], chat: '', address: '', secret: '' });
}

async function insert(
  ctx: Context,
  projectId: number,
  input: AlertChannelFields,
): Promise<AlertChannel> {
  const { type, host, ...secrets } = receiverOf(input);
  const values = { ...shownValues(input), type, host, address: null, secret: null };
  const creation = inTransaction(ctx, async (inner) => {
    const { id } = await channels.create(inner, projectId, values);
    await sealSecrets(inner, { project_id: projectId, id }, secrets);
    await replaceLimits(inner.db, projectId, id, input);
    return requireChannel(inner, projectId, id);
  });
  return refusing(creation, refusals);
}

export async function changeChannel(
  ctx: Context,
  target: Target,
  input: AlertChannelFields,
): Promise<void> {
  const { projectId, id } = target;
  const stored = await requireChannel(ctx, projectId, id);
  const { type } = stored;
  const isReplaced = input.override_secret ?? false;
  if (type !== input.type && !isReplaced) {
    throw failFields(fieldError('type', 'alert_channel.type_kept'));
  }
  await checkAll([() => checkMail(ctx, input), () => checkLimits(ctx, projectId, input)]);
  for (const limits of [stored, input]) await refuseUnseen(ctx, projectId, limits);
  const sealed = isReplaced ? sealedReceiver(ctx, { project_id: projectId, id }, input) : {};
  const values = { ...shownValues(input), ...sealed };
  const change = inTransaction(ctx, async (inner) => {
    await channels.change(inner, target, values);
    await replaceLimits(inner.db, projectId, id, input);
  });
  await refusing(change, refusals);
}

export const removeChannel = channels.remove;

export async function testChannel(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<AlertTestResult> {
  const { name } = await requireChannel(ctx, projectId, id);
  const target = await openChannel(ctx, projectId, id);
  if (!target) throw fail('alert_channel.not_found');
  const { name: project } = await requireProject(ctx.db, projectId);
  const object = { type: 'alert_channel' as const, id, name };
  await record(ctx, { code: 'alert_channel.tested', projectId, object });
  const time = ctx.clock.now().toISOString();
  const alert = { event: 'test', time, project: { id: projectId, name: project } } as const;
  const message = { id: randomUUID(), alert: { ...alert, task: null } };
  const { status, error } = await sendAlert(ctx.config, target, message);
  return {
    delivered: error === null || error === 'mail_some_refused',
    status,
    error: error && alertErrors.text(error),
    error_code: error,
  };
}

/** Sends a test message through each active channel in sequence. */
export async function testChannels(
  ctx: Context,
  projectId: number,
): Promise<(AlertTestResult & Pick<AlertChannel, 'id' | 'name'>)[]> {
  const active = (await listChannels(ctx, projectId, {})).filter((channel) => channel.active);
  if (active.length === 0) throw fail('alert_channel.none_active');
  const results: (AlertTestResult & Pick<AlertChannel, 'id' | 'name'>)[] = [];
  for (const { id, name } of active) {
    results.push({ id, name, ...(await testChannel(ctx, projectId, id)) });
  }
  return results;
}

/** Decrypts address and secret; for sending only. */
export async function openChannel(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<(AlertTarget & { isActive: boolean }) | null> {
  const row = await findSealed(ctx.db, projectId, id);
  if (!row) return null;
  const at = { project_id: projectId, id };
  const open = (sealed: string | null, column: Column): string =>
    sealed === null ? '' : ctx.vault.open(sealed, column.at(at));
  return {
    type: row.type,
    addresses: row.addresses,
    chat: row.chat,
    address: open(row.address, channelAddress),
    secret: open(row.secret, channelSecret),
    isActive: row.active,
  };
}

function checkMail({ config }: Context, { type }: AlertChannelFields): void {
  if (type === 'email' && config.alerts.smtpUrl === null) {
    throw failFields(fieldError('type', 'alert_channel.mail_not_set_up'));
  }
}

async function checkLimits(ctx: Context, projectId: number, input: Limits): Promise<void> {
  const wrongIn = async (field: keyof Limits, table: 'templates' | 'workflows') => {
    const known = new Set(await listKnown(ctx.db, table, projectId, input[field]));
    return input[field].flatMap((id, index) =>
      known.has(id) ? [] : [fieldError(`${field}.${index}`, 'field.reference')],
    );
  };
  const wrong = [
    ...(await wrongIn('template_ids', 'templates')),
    ...(await wrongIn('workflow_ids', 'workflows')),
  ];
  if (wrong.length > 0) throw failFields(...wrong);
}

/** Who decides where alerts go sees what they are about. A channel without limits gets those about everything. */
async function refuseUnseen(ctx: Context, projectId: number, limits: Limits): Promise<void> {
  if (!ctx.by.scope) return;
  const { template_ids: templates, workflow_ids: workflows } = limits;
  const seen = [
    ...(await listKnown(seenBy(ctx), 'templates', projectId, templates)),
    ...(await listKnown(seenBy(ctx), 'workflows', projectId, workflows)),
  ];
  const all = templates.length + workflows.length;
  if (all === 0 || seen.length < all) throw fail('alert.restricted');
}

// A template or workflow was deleted concurrently.
const refusals = { 'foreign-key': () => fail('request.stale') };

function shownValues({ name, type, active, events, addresses, chat }: AlertChannelFields) {
  return {
    name,
    active,
    events,
    // Only the fields of the type are stored.
    addresses: type === 'email' ? addresses : [],
    chat: type === 'telegram' ? chat : '',
  };
}

/** The target of a channel: its address and secret, not yet sealed. */
function receiverOf(input: AlertChannelFields) {
  const needs = alertTypeNeeds[input.type];
  const address = needs.address && input.address ? new URL(input.address) : null;
  const secret = needs.secret === 'none' ? '' : input.secret;
  return {
    type: input.type,
    host: address && address.host,
    address: address && address.href,
    secret: secret || null,
  };
}

const { channelAddress, channelSecret } = sealedColumns;
type Column = typeof channelAddress;
type Row = Parameters<Column['at']>[0];

async function sealSecrets(
  ctx: Context,
  row: Row,
  { address, secret }: { address: string | null; secret: string | null },
): Promise<void> {
  if (address !== null) await sealInto(ctx, channelAddress, row, address);
  if (secret !== null) await sealInto(ctx, channelSecret, row, secret);
}

function sealedReceiver({ vault }: Context, row: Row, input: AlertChannelFields) {
  const { address, secret, ...shown } = receiverOf(input);
  return {
    ...shown,
    address: address && vault.seal(address, channelAddress.at(row)),
    secret: secret && vault.seal(secret, channelSecret.at(row)),
  };
}
