// The values of the form of an alert channel, and the body made from them.

import type { AlertChannel } from '#shared/api/alert-channels.ts';
import { type AlertEvent, type AlertType, alertTypeNeeds } from '#shared/alerts.ts';

export type ChannelValues = {
  name: string;
  type: AlertType;
  active: boolean;
  events: AlertEvent[];
  template_ids: number[];
  workflow_ids: number[];
  addresses: string[];
  chat: string;
  address: string;
  secret: string;
  /** Whether to replace type, address and secret of a stored channel. */
  override_secret: boolean;
};

/** Whether channels of the type have a secret, which is never read back. */
export const isSealed = (type: AlertType): boolean =>
  alertTypeNeeds[type].address || alertTypeNeeds[type].secret !== 'none';

/** Whether a channel lacks values that it needs, as after a restore. */
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
  workflow_ids: [],
  addresses: [],
  chat: '',
  address: '',
  secret: '',
  override_secret: false,
};

export function channelValues(channel?: AlertChannel): ChannelValues {
  if (!channel) return fresh;
  const { name, type, active, events, template_ids, workflow_ids, addresses, chat } = channel;
  const shown = { name, type, active, events, template_ids, workflow_ids, addresses, chat };
  // The form of a channel without address opens ready for entering one.
  return { ...fresh, ...shown, override_secret: isIncomplete(channel) };
}

/** Only the fields of the type are sent. */
export const channelBody = ({ addresses, chat, address, secret, ...values }: ChannelValues) => ({
  ...values,
  addresses: values.type === 'email' ? addresses : [],
  chat: values.type === 'telegram' ? chat : '',
  address: alertTypeNeeds[values.type].address ? address : '',
  secret: alertTypeNeeds[values.type].secret === 'none' ? '' : secret,
});

/** An error of one of several addresses is shown at their input. */
export const inputPath = (path: string): string =>
  /^(?:addresses|template_ids|workflow_ids|events)\./.test(path)
    ? (path.split('.')[0] ?? path)
    : path;
