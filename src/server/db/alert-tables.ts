// The tables of alerts: where they go, and the queue of those that are to be sent.

import type { Generated } from 'kysely';
import type { AlertError, AlertEvent, AlertType, DeliveryStatus } from '#shared/alerts.ts';
import type { Flag, ResourceColumns } from './columns.ts';

interface AlertChannels extends ResourceColumns {
  type: AlertType;
  active: Flag;
  /** JSON: `AlertEvent[]`. */
  events: string;
  /** JSON: a list of e-mail addresses. */
  addresses: string;
  chat: string;
  /** Of the address; the only part of it that is shown. */
  host: string | null;
  /** Sealed by the vault, as the secret is. */
  address: string | null;
  secret: string | null;
}

interface AlertChannelTemplates {
  project_id: number;
  channel_id: number;
  template_id: number;
}

/** The queue of alerts, and what became of them. */
interface AlertDeliveries {
  id: Generated<number>;
  project_id: number;
  task_id: number;
  event: AlertEvent;
  /** `channel:5`, `user:7` or `chat`: one alert of a task and an event for each. */
  recipient: string;
  channel_id: number | null;
  user_id: number | null;
  /** What it says: JSON of `Alert`. */
  alert: string;
  status: DeliveryStatus;
  attempts: Generated<number>;
  answer_status: number | null;
  error: AlertError | null;
  created: string;
  sent: string | null;
  /** Of a pending one: who sends it now has until then. */
  next_try: string | null;
}

export interface AlertTables {
  alert_channels: AlertChannels;
  alert_channel_templates: AlertChannelTemplates;
  alert_deliveries: AlertDeliveries;
}
