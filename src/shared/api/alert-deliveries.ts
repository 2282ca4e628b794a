import { z } from 'zod';
import { alertErrors } from '../catalogue/alert-errors.ts';
import { type DeliveryEvent, deliveryEvents, deliveryStatuses } from '../alerts.ts';
import type { TaskStatus } from '../task-status.ts';
import type { RunStatus } from '../workflows/run-status.ts';
import { inAlertChannel } from './alert-channels.ts';
import { endpoint } from './endpoint.ts';
import { id, idOf, time } from '../fields.ts';
import { newestFirstQuery } from './page.ts';
import { inProject } from './projects.ts';
import type { FailureGroup, HostCounts } from './run-results.ts';

/** The content of an alert, as it waits in the queue. */
export interface Alert {
  event: DeliveryEvent | 'test';
  time: string;
  project: { id: number; name: string };
  /** The task; null for a test, and for a run of a workflow. */
  task: AlertTask | null;
  /** The run of a workflow; absent: the alert is about none. */
  workflow_run?: AlertRun;
}

export interface AlertRun {
  id: number;
  workflow: { id: number; name: string };
  status: RunStatus;
  message: string;
  /** The user who launched the run; empty when no user did. */
  user: string;
  /** The duration in seconds; null: it goes on. */
  duration: number | null;
  /** The nodes that failed, each with the reason in a sentence; empty: none, or nothing tells why. */
  failed_nodes: { name: string; reason: string }[];
  /** The approval that begins to wait; null: the run has ended. */
  approval: { key: string; name: string; question: string } | null;
}

export interface AlertTask {
  id: number;
  template: { id: number; name: string };
  status: TaskStatus;
  /** Whether the task only shows what it would change; absent in alerts of earlier versions. */
  dry_run?: boolean;
  /** Whether a run of Ansible reached no host; absent: it did, or that is not known. */
  no_hosts?: boolean;
  message: string;
  /** The user who launched the task; empty when no user did. */
  user: string;
  version: string | null;
  /** The duration in seconds. */
  duration: number | null;
  /** The hosts of a run of Ansible, and its failures by their cause; absent: nothing is told of any. */
  hosts?: HostCounts;
  failures?: FailureGroup[];
}

/** One alert to one recipient, or one commit status to the host of a repository, with its attempts. */
const alertDelivery = z.object({
  id,
  project_id: id,
  /** Null: it is about a run of a workflow. */
  task_id: id.nullable(),
  template_id: id.nullable(),
  /** Empty: it is about a run of a workflow. */
  template_name: z.string(),
  /** The run of a workflow; null: it is about a task. */
  run_id: id.nullable(),
  workflow_id: id.nullable(),
  workflow_name: z.string(),
  event: z.enum(deliveryEvents),
  recipient: z.enum(['channel', 'member', 'chat', 'repository']),
  channel_id: id.nullable(),
  /** Null when the channel has been deleted. */
  channel_name: z.string().nullable(),
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  /** The repository whose host gets a commit status. */
  repository_id: id.nullable(),
  repository_name: z.string().nullable(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int(),
  /** The status of the receiver's answer to the last attempt; null when it did not answer. */
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
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/alert_deliveries',
    permission: 'update_project',
    summary: 'The alerts of the project, newest first, 200 unless `limit` says otherwise',
    params: inProject,
    query,
    reply: z.array(alertDelivery),
  }),
  ofChannel: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/alert_channels/:alert_channel_id/deliveries',
    permission: 'update_project',
    summary: 'The alerts of a channel, newest first, 200 unless `limit` says otherwise',
    params: inAlertChannel,
    query,
    reply: z.array(alertDelivery),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/alert_deliveries/:alert_delivery_id/retry',
    permission: 'update_project',
    summary: 'Send an alert again that did not arrive',
    params: inProject.extend({ alert_delivery_id: idOf('alert_delivery.not_found') }),
    refuses: ['alert_delivery.not_failed'],
  }),
};
