import { z } from 'zod';
import { alertErrors } from '../catalogue/alert-errors.ts';
import { type DeliveryEvent, deliveryEvents, deliveryStatuses } from '../alerts.ts';
import type { TaskStatus } from '../task-status.ts';
import type { RunStatus } from '../workflows/run-status.ts';
import { endpoint } from './endpoint.ts';
import { id, time } from '../fields.ts';
import { newestFirstQuery } from './page.ts';
import type { FailureGroup, HostCounts } from './run-results.ts';

/** The content of an alert in the queue. */
export interface Alert {
  event: DeliveryEvent | 'test';
  time: string;
  project: { id: number; name: string };
  /** Null: a test, or the run of a workflow. */
  task: AlertTask | null;
  /** Absent: the alert is about no run. */
  workflow_run?: AlertRun;
}

export interface AlertRun {
  id: number;
  workflow: { id: number; name: string };
  status: RunStatus;
  message: string;
  /** The user who launched the run; empty: no user did. */
  user: string;
  /** In seconds; null: it has not ended. */
  duration: number | null;
  /** The failed nodes, each with a sentence about the reason; empty: none, or unknown. */
  failed_nodes: { name: string; reason: string }[];
  /** The approval that the run waits for; null: the run has ended. */
  approval: { key: string; name: string; question: string } | null;
}

export interface AlertTask {
  id: number;
  template: { id: number; name: string };
  status: TaskStatus;
  /** Absent in alerts of earlier versions. */
  dry_run?: boolean;
  /** Whether an Ansible run reached no host; absent: it did, or unknown. */
  no_hosts?: boolean;
  message: string;
  /** The user who launched the task; empty: no user did. */
  user: string;
  version: string | null;
  /** In seconds. */
  duration: number | null;
  /** The hosts of an Ansible run, and its failures by cause; absent: none reported. */
  hosts?: HostCounts;
  failures?: FailureGroup[];
}

/** One alert to one recipient, or one commit status to a git host, with its attempts. */
const alertDelivery = z.object({
  id,
  project_id: id,
  /** Null: about the run of a workflow. */
  task_id: id.nullable(),
  template_id: id.nullable(),
  template_name: z.string(),
  /** Null: about a task. */
  run_id: id.nullable(),
  workflow_id: id.nullable(),
  workflow_name: z.string(),
  event: z.enum(deliveryEvents),
  recipient: z.enum(['channel', 'member', 'chat', 'repository']),
  channel_id: id.nullable(),
  /** Null: the channel was deleted. */
  channel_name: z.string().nullable(),
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  /** The repository whose host receives a commit status. */
  repository_id: id.nullable(),
  repository_name: z.string().nullable(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int(),
  /** The status of the receiver's response to the last attempt; null: no response. */
  answer_status: z.number().int().nullable(),
  error: z.string().nullable(),
  error_code: z.enum(alertErrors.codes).nullable(),
  created: time,
  sent: time.nullable(),
  next_try: time.nullable(),
});
export type AlertDelivery = z.output<typeof alertDelivery>;

const query = newestFirstQuery.extend({ status: z.enum(deliveryStatuses).optional() });

export const alertDeliveries = {
  list: endpoint.get('/api/project/:project_id/alert_deliveries', {
    permission: 'alert.edit',
    summary: 'The alerts of the project, newest first, 200 unless `limit` says otherwise',
    query,
    reply: z.array(alertDelivery),
  }),
  ofChannel: endpoint.get('/api/project/:project_id/alert_channels/:alert_channel_id/deliveries', {
    permission: 'alert.edit',
    summary: 'The alerts of a channel, newest first, 200 unless `limit` says otherwise',
    query,
    reply: z.array(alertDelivery),
  }),
  retry: endpoint.post('/api/project/:project_id/alert_deliveries/:alert_delivery_id/retry', {
    permission: 'alert.edit',
    summary: 'Send an alert again that did not arrive',
    refuses: ['alert_delivery.not_failed'],
  }),
};
