import { z } from 'zod';
import { type AddCheck, crossCheck } from '../cross-check.ts';
import { alertErrors } from '../catalogue/alert-errors.ts';
import { alertEvents, alertTypeNeeds, alertTypes } from '../alerts.ts';
import { endpoint } from './endpoint.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { id, line, noControls, secret, using } from '../fields.ts';
import { sortedQuery } from './page.ts';

const events = z.array(z.enum(alertEvents));

/** A receiver of alerts about the tasks and runs of workflows of a project. Its address and secret are write-only. */
export const alertChannel = z.object({
  id,
  project_id: id,
  name: z.string(),
  type: z.enum(alertTypes),
  active: z.boolean(),
  events,
  /** The templates and workflows whose alerts it receives; if both are empty, those of all. */
  template_ids: z.array(id),
  workflow_ids: z.array(id),
  /** The recipients of a channel of the type `email`. */
  addresses: z.array(z.string()),
  /** The id of the chat of a channel of the type `telegram`. */
  chat: z.string(),
  /** The host of its address, which is not shown otherwise; null: the type has no address. */
  host: z.string().nullable(),
  has_secret: z.boolean(),
  /** False: an administrator has to set up the type first. */
  available: z.boolean(),
});
export type AlertChannel = z.output<typeof alertChannel>;

const mailAddress = z
  .string()
  .trim()
  .max(254)
  .refine((text) => /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/.test(text) && noControls(text), {
    error: 'user.email_invalid',
  });

const withLogin = /^https?:[/\\]*[^/?#\\]*@/i;
const webAddress = z.union([
  z.literal(''),
  z
    .url({ protocol: /^https?$/, error: 'alert_channel.address_invalid' })
    .max(2048)
    .refine((url) => !withLogin.test(url), { error: 'alert_channel.address_login' }),
]);

const unique = <T>(list: T[]): T[] => [...new Set(list)];

const fields = z.object({
  name: line(255, 'name.required'),
  type: z.enum(alertTypes),
  active: z.boolean().default(true),
  events: events
    .min(1, { error: 'field.required' })
    .max(20)
    .default(['failed', 'recovered', 'waiting'])
    .transform((list) => alertEvents.filter((event) => list.includes(event))),
  template_ids: using('template.see', z.array(id).max(500).default([]).transform(unique)),
  workflow_ids: using('workflow.see', z.array(id).max(500).default([]).transform(unique)),
  addresses: z.array(mailAddress).max(20).default([]).transform(unique),
  chat: z
    .string()
    .trim()
    .regex(/^(?:-?\d{1,20}|@\w{1,64})?$/, { error: 'alert_channel.chat_invalid' })
    .default(''),
  address: secret(webAddress).default(''),
  /** The token of Telegram, Gotify or ntfy, or the key that signs the bodies of a webhook. */
  secret: secret(
    z
      .string()
      .trim()
      .max(1024)
      .regex(/^[\x21-\x7e]*$/, { error: 'field.invalid' }),
  ).default(''),
  /** Whether a change replaces type, address and secret. */
  override_secret: z.boolean().optional(),
});
export type AlertChannelFields = z.output<typeof fields>;

/** A channel without its address and secret. */
export const emptyAlertChannel = fields.pick({
  name: true,
  type: true,
  active: true,
  events: true,
  template_ids: true,
  workflow_ids: true,
});
export type EmptyAlertChannel = z.output<typeof emptyAlertChannel>;

type Check = AddCheck<AlertChannelFields>;

function checkShown(check: Check): void {
  check(['type', 'addresses'], ({ type, addresses }, refuse) => {
    if (type === 'email' && addresses.length === 0) refuse('addresses', 'user.email_required');
  });
  check(['type', 'chat'], ({ type, chat }, refuse) => {
    if (type === 'telegram' && chat === '') refuse('chat', 'alert_channel.chat_required');
  });
}

/** The formats of Telegram and ntfy, from which an address is built. */
const token = /^\d{1,20}:[\w-]{1,200}$/;
const topic = /^https?:\/\/[^?#]+\/[\w-]{1,64}$/i;

type Sealed = Pick<AlertChannelFields, 'type' | 'override_secret'>;

function checkSealed(check: Check, isGiven: (channel: Sealed) => boolean): void {
  check(['type', 'address', 'override_secret'], ({ address, ...channel }, refuse) => {
    if (!isGiven(channel)) return;
    if (alertTypeNeeds[channel.type].address && address === '') {
      refuse('address', 'alert_channel.address_required');
    } else if (channel.type === 'ntfy' && !topic.test(address)) {
      refuse('address', 'alert_channel.topic_required');
    }
  });
  check(['type', 'secret', 'override_secret'], ({ secret: text, ...channel }, refuse) => {
    if (!isGiven(channel)) return;
    if (alertTypeNeeds[channel.type].secret === 'required' && text === '') {
      refuse('secret', 'alert_channel.secret_required');
    } else if (channel.type === 'telegram' && !token.test(text)) {
      refuse('secret', 'alert_channel.token_invalid');
    }
  });
}

export const newAlertChannel = crossCheck(fields, (check) => {
  checkShown(check);
  checkSealed(check, () => true);
});
export const alertChannelChange = crossCheck(fields, (check) => {
  checkShown(check);
  checkSealed(check, ({ override_secret: isReplaced }) => isReplaced === true);
});

const testResult = z.object({
  delivered: z.boolean(),
  /** The status of the receiver's response; null: no response. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  error_code: z.enum(alertErrors.codes).nullable(),
});
export type AlertTestResult = z.output<typeof testResult>;

export const alertChannels = {
  ...resourceEndpoints('/api/project/:project_id/alert_channels', 'alert_channel', {
    permission: 'alert.edit',
    summaries: {
      list: 'Where alerts of the project go, without addresses and secrets',
      create: 'Add an alert channel',
      one: 'One alert channel, without its address and secret',
      update: 'Change an alert channel; with override_secret its type, address and secret too',
      remove: 'Delete an alert channel; its alerts that wait are not sent any more',
    },
    query: sortedQuery(['name', 'type']),
    body: newAlertChannel,
    change: alertChannelChange,
    reply: alertChannel,
    refuses: {
      create: ['alert_channel.name_taken', 'request.stale', 'alert.restricted'],
      update: ['alert_channel.name_taken', 'alert.restricted'],
    },
  }),
  test: endpoint.post('/api/project/:project_id/alert_channels/:alert_channel_id/test', {
    permission: 'alert.edit',
    summary: 'Send a test message through an alert channel now',
    reply: testResult,
    rateLimit: { max: 20, windowSeconds: 60 },
    refuses: ['secret.not_opened'],
  }),
  testAll: endpoint.post('/api/project/:project_id/notifications/test', {
    permission: 'alert.edit',
    forOthers: true,
    summary: 'Send a test message through all active alert channels now',
    reply: z.array(testResult.extend({ id, name: z.string() })),
    rateLimit: { max: 20, windowSeconds: 60 },
    refuses: ['alert_channel.none_active', 'secret.not_opened'],
  }),
};
