export const alertEvents = ['failed', 'recovered', 'waiting', 'succeeded', 'stopped'] as const;
/**
 * What a task or a run of a workflow did: `failed` without a further retry, `recovered` by a success after a failure of
 * the same template or workflow, `waiting` for a confirmation or an approval, `succeeded`, `stopped` by a user.
 */
export type AlertEvent = (typeof alertEvents)[number];

/** The events of deliveries: those of alerts, and the start of a task, which is sent to git hosts only. */
export const deliveryEvents = [...alertEvents, 'started'] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

export const alertTypes = [
  'email',
  'telegram',
  'slack',
  'mattermost',
  'teams',
  'gotify',
  'ntfy',
  'webhook',
] as const;
export type AlertType = (typeof alertTypes)[number];

/** The fields that a type needs in addition to the name; both are sealed and never part of a reply. */
export const alertTypeNeeds: Record<
  AlertType,
  { address: boolean; secret: 'required' | 'optional' | 'none' }
> = {
  email: { address: false, secret: 'none' },
  telegram: { address: false, secret: 'required' },
  slack: { address: true, secret: 'none' },
  mattermost: { address: true, secret: 'none' },
  teams: { address: true, secret: 'none' },
  gotify: { address: true, secret: 'required' },
  ntfy: { address: true, secret: 'optional' },
  webhook: { address: true, secret: 'optional' },
};

export const deliveryStatuses = ['pending', 'sent', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
