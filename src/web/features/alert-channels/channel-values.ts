// The values of the form of an alert channel, and the body made from them.

import type { AlertChannel } from '#shared/api/alert-channels.ts';
import { type AlertType, alertTypeNeeds } from '#shared/alerts.ts';

/** Whether channels of the type have a secret, which is never read back. */
export const isSealed = (type: AlertType): boolean =>
  alertTypeNeeds[type].address || alertTypeNeeds[type].secret !== 'none';

/** Whether required values are missing, as after a restore. */
function isIncomplete({ type, host, has_secret: hasSecret }: AlertChannel): boolean {
  const needs = alertTypeNeeds[type];
  return (needs.address && !host) || (needs.secret === 'required' && !hasSecret);
}

const readableValues = ({
  name = '',
  type = 'webhook',
  active = true,
  events = ['failed', 'recovered', 'waiting'],
  template_ids = [],
  workflow_ids = [],
  addresses = [],
  chat = '',
}: Partial<AlertChannel> = {}) => ({
  name,
  type,
  active,
  events,
  template_ids,
  workflow_ids,
  addresses,
  chat,
});

export const channelValues = (channel?: AlertChannel) => ({
  ...readableValues(channel),
  address: '',
  secret: '',
  // Whether to replace type, address and secret of a stored channel; an incomplete channel begins
  // with this.
  override_secret: channel !== undefined && isIncomplete(channel),
});
export type ChannelValues = ReturnType<typeof channelValues>;

/** Only the fields of the type are sent. */
export const channelBody = ({ addresses, chat, address, secret, ...values }: ChannelValues) => ({
  ...values,
  addresses: values.type === 'email' ? addresses : [],
  chat: values.type === 'telegram' ? chat : '',
  address: alertTypeNeeds[values.type].address ? address : '',
  secret: alertTypeNeeds[values.type].secret === 'none' ? '' : secret,
});

export const inputPath = (path: string): string =>
  /^(?:addresses|template_ids|workflow_ids|events)\./.test(path)
    ? (path.split('.')[0] ?? path)
    : path;
