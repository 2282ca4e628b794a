// The tables of alert channels and of the queue of alerts.

import type { Generated } from 'kysely';
import type { AlertError } from '#shared/catalogue/alert-errors.ts';
import type { AlertType, DeliveryEvent, DeliveryStatus } from '#shared/alerts.ts';
import type { Flag, ResourceColumns } from './columns.ts';

interface AlertChannels extends ResourceColumns {
  type: AlertType;
  active: Flag;
  /** JSON: `AlertEvent[]`. */
  events: string;
  /** JSON: a list of e-mail addresses. */
  addresses: string;
  chat: string;
  /** The host of the address, the only part that is shown. */
  host: string | null;
  /** The address and the secret, both sealed by the vault. */
  address: string | null;
  secret: string | null;
}

interface AlertChannelTemplates {
  project_id: number;
  channel_id: number;
  template_id: number;
}

interface AlertChannelWorkflows {
  project_id: number;
  channel_id: number;
  workflow_id: number;
}

/** The queue of alerts, with the results of their attempts. */
interface AlertDeliveries {
  id: Generated<number>;
  project_id: number;
  /**
   * The task that it is about. For a run of a workflow it is the negative id of the run, so that each
   * recipient gets one alert for a run and an event too.
   */
  task_id: number;
  /** The run that it is about; null: it is about a task. */
  run_id: Generated<number | null>;
  event: DeliveryEvent;
  /**
   * The recipient: `channel:5`, `user:7`, `repository:3` or `chat`; for an approval with the place of
   * its node in the graph, `channel:5:2`. Each recipient gets one alert for a task and an event.
   */
  recipient: string;
  channel_id: number | null;
  user_id: number | null;
  /** The repository whose host gets a commit status. */
  repository_id: Generated<number | null>;
  /** The content: JSON of `Alert`. */
  alert: string;
  status: DeliveryStatus;
  attempts: Generated<number>;
  answer_status: number | null;
  error: AlertError | null;
  created: string;
  sent: string | null;
  /** When a pending alert is tried next. A server that sends it now has reserved it until then. */
  next_try: string | null;
}

export interface AlertTables {
  alert_channels: AlertChannels;
  alert_channel_templates: AlertChannelTemplates;
  alert_channel_workflows: AlertChannelWorkflows;
  alert_deliveries: AlertDeliveries;
}
