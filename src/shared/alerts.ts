// Alerts: their events, the types of channels, and the reasons why one was not delivered.

export const alertEvents = ['failed', 'recovered', 'waiting', 'succeeded', 'stopped'] as const;
/**
 * What a task or a run of a workflow did: `failed` without a further retry, `recovered` by a success
 * after a failure of the same template or workflow, `waiting` for a confirmation or an approval,
 * `succeeded`, `stopped` by somebody.
 */
export type AlertEvent = (typeof alertEvents)[number];

/** The events of deliveries: those of alerts, and the begin of a task, of which only hosts of git are told. */
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

/** Which fields a channel of each type needs beside its name; both are sealed and never answered. */
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

const catalogue = {
  refused_address:
    'The address leads into a network that alerts may not reach. An administrator can allow it with SIGNALBOX_ALERT_ADDRESSES.',
  unresolved: 'There is no server of this name.',
  connection: 'The server cannot be reached.',
  proxy: 'The proxy of the server refused the connection, or cannot be reached.',
  tls: 'The certificate of the server, or how it encrypts, is not accepted.',
  timeout: 'The server did not answer in time.',
  redirect: 'The server answered with another address. Redirects are not followed.',
  status: 'The server refused the message.',
  mail_login: 'The mail server refused the login of Signalbox.',
  mail_refused: 'The mail server refused the message.',
  mail_some_refused: 'The mail server refused some of the addresses.',
  incomplete: 'The channel has no address or token yet. Give it what it needs.',
  no_token:
    'The repository has no token for commit statuses, or its address names no repository at a host.',
  not_set_up: 'An administrator has not set up what this needs.',
  recipient_gone: 'The recipient was removed or switched off meanwhile.',
  internal: 'Something went wrong on the server. It has been logged.',
} as const satisfies Record<string, string>;

/** Why an alert was not delivered. */
export type AlertError = keyof typeof catalogue;
export const alertErrors = Object.keys(catalogue) as [AlertError, ...AlertError[]];

export function alertErrorText(code: AlertError): string {
  return catalogue[code];
}
