// What the inputs of the form of an alert channel hold, and what is sent of it.

import type { AlertChannel } from '#shared/api/alert-channels.ts';
import { type AlertEvent, type AlertType, alertTypeNeeds } from '#shared/alerts.ts';

export type ChannelValues = {
  name: string;
  type: AlertType;
  active: boolean;
  events: AlertEvent[];
  template_ids: number[];
  addresses: string[];
  chat: string;
  address: string;
  secret: string;
  /** Replace type, address and secret of a channel that is stored. */
  override_secret: boolean;
};

/** Whether channels of the type have a secret, which is never read back. */
export const isSealed = (type: AlertType): boolean =>
  alertTypeNeeds[type].address || alertTypeNeeds[type].secret !== 'none';

/** Whether a channel still lacks what it needs, as after a restore. */
function isIncomplete({ type, host, has_secret: hasSecret }: AlertChannel): boolean {
  const needs = alertTypeNeeds[type];
  return (needs.address && !host) || (needs.secret === 'required' && !hasSecret);
}

const fresh: ChannelValues = {
  name: '',
  type: 'webhook',
  active: true,
  events: ['failed', 'recovered', 'waiting'],
  template_ids: [],
  addresses: [],
  chat: '',
  address: '',
  secret: '',
  override_secret: false,
};

export function channelValues(channel?: AlertChannel): ChannelValues {
  if (!channel) return fresh;
  const { name, type, active, events, template_ids, addresses, chat } = channel;
  const shown = { name, type, active, events, template_ids, addresses, chat };
  // A channel that lacks its address is opened to be given one.
  return { ...fresh, ...shown, override_secret: isIncomplete(channel) };
}

/** Only what the type is given is sent. */
export const channelBody = ({ addresses, chat, address, secret, ...values }: ChannelValues) => ({
  ...values,
  addresses: values.type === 'email' ? addresses : [],
  chat: values.type === 'telegram' ? chat : '',
  address: alertTypeNeeds[values.type].address ? address : '',
  secret: alertTypeNeeds[values.type].secret === 'none' ? '' : secret,
});

/** Where the first wrong one of several is shown. */
export const inputPath = (path: string): string =>
  /^(?:addresses|template_ids|events)\./.test(path) ? (path.split('.')[0] ?? path) : path;
