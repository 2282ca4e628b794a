import type { Generated } from 'kysely';
import type { AlertError } from '#shared/catalogue/alert-errors.ts';
import type { AlertType, DeliveryEvent, DeliveryStatus } from '#shared/alerts.ts';
import type { Flag, ResourceColumns } from './columns.ts';

export interface AlertTables {
  alert_channels: ResourceColumns & {
    type: AlertType;
    active: Flag;
    /** JSON: `AlertEvent[]`. */
    events: string;
    /** JSON: a list of e-mail addresses. */
    addresses: string;
    chat: string;
    /** The host of the address, the only readable part. */
    host: string | null;
    /** Both sealed. */
    address: string | null;
    secret: string | null;
  };
  alert_channel_templates: {
    project_id: number;
    channel_id: number;
    template_id: number;
  };
  alert_channel_workflows: {
    project_id: number;
    channel_id: number;
    workflow_id: number;
  };
  alert_deliveries: {
    id: Generated<number>;
    project_id: number;
    /** The task, or the negative id of a workflow run, so that the unique index applies to runs too. */
    task_id: number;
    /** Null for a task. */
    run_id: Generated<number | null>;
    event: DeliveryEvent;
    /** `channel:5`, `user:7`, `repository:3`, `chat`, or `channel:5:2` with the node of an approval. */
    recipient: string;
    channel_id: number | null;
    user_id: number | null;
    /** For commit statuses. */
    repository_id: Generated<number | null>;
    /** JSON of `Alert`. */
    alert: string;
    status: DeliveryStatus;
    attempts: Generated<number>;
    answer_status: number | null;
    error: AlertError | null;
    created: string;
    sent: string | null;
    /** When a pending alert is due; while it is sent, the end of the lease. */
    next_try: string | null;
  };
}
