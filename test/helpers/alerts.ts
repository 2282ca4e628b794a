// Makes alert channels and reads their alerts.

import { alertChannels, type AlertChannel } from '#shared/api/alert-channels.ts';
import { alertDeliveries, type AlertDelivery } from '#shared/api/alert-deliveries.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import type { Task } from '#shared/api/tasks.ts';
import { loadConfig, type AlertSettings, type Config } from '../../src/server/config/config.ts';
import { endTask, moveTask } from '../../src/server/automation/tasks/move-task.ts';
import type { Caller, TestApp } from './app.ts';
import { claimNext, launch } from './tasks.ts';
import { until } from './until.ts';

/** Settings that let alerts be sent to this machine. */
export function alertConfig(
  settings: Partial<AlertSettings> = {},
): Pick<Config, 'alerts' | 'publicUrl'> {
  const alerts = { ...loadConfig({}).alerts, allowed: ['127.0.0.1'], ...settings };
  return { alerts, publicUrl: 'https://signalbox.example' };
}

type Fields = Partial<CallOf<typeof alertChannels.create>['body']>;

let count = 0;

/** Adds a channel to the project, by default a webhook. */
export function addChannel(
  caller: Caller,
  projectId: number,
  fields: Fields = {},
): Promise<AlertChannel> {
  count += 1;
  const body = {
    name: `Channel ${count}`,
    type: 'webhook' as const,
    address: 'https://example.com/hook',
    ...fields,
  };
  return caller.call(alertChannels.create, { params: { project_id: projectId }, body });
}

/** Adds a channel and an alert that failed, for tests that need their ids. */
export async function plantAlert(
  { ctx }: TestApp,
  caller: Caller,
  projectId: number,
): Promise<{ alert_channel_id: number; alert_delivery_id: number }> {
  // The server refuses this address before it connects.
  const channel = await addChannel(caller, projectId, { address: 'http://127.0.0.1:9/hook' });
  const time = ctx.clock.now().toISOString();
  const task = { id: 1, template: { id: 1, name: 'Template' }, status: 'error', message: '' };
  const alert = { event: 'failed', time, project: { id: projectId, name: 'Project' } };
  const { id } = await ctx.db
    .insertInto('alert_deliveries')
    .values({
      project_id: projectId,
      task_id: 1,
      event: 'failed',
      recipient: `channel:${channel.id}`,
      channel_id: channel.id,
      user_id: null,
      alert: JSON.stringify({
        ...alert,
        task: { ...task, user: '', version: null, duration: null },
      }),
      status: 'failed',
      attempts: 1,
      answer_status: null,
      error: 'refused_address',
      created: time,
      sent: null,
      next_try: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { alert_channel_id: channel.id, alert_delivery_id: id };
}

type Launch = Parameters<typeof launch>[2];

/** Launches a task of a template and ends it at once. */
export async function runTo(
  app: TestApp,
  projectId: number,
  body: Launch,
  end: 'success' | 'error' | 'stopped',
): Promise<Task> {
  const task = await launch(app.admin, projectId, body);
  await finish(app, task, end);
  return task;
}

/** Takes a waiting task and ends it. */
export async function finish(
  { ctx }: TestApp,
  { id, project_id }: Pick<Task, 'id' | 'project_id'>,
  end: 'success' | 'error' | 'stopped',
): Promise<void> {
  const claimed = await claimNext(ctx);
  if (claimed?.id !== id) throw new Error(`task ${claimed?.id} is due and not ${id}`);
  await moveTask(ctx, { id, project_id }, 'running');
  if (!(await endTask(ctx, { id, project_id }, end))) throw new Error(`task ${id} did not end`);
}

/** The alerts of a project, the oldest first. */
export async function listAlerts(caller: Caller, projectId: number): Promise<AlertDelivery[]> {
  const list = await caller.call(alertDeliveries.list, { params: { project_id: projectId } });
  return list.toReversed();
}

/** Waits until so many alerts of a project have been tried that often, and returns them. */
export function untilTried(
  caller: Caller,
  projectId: number,
  { alerts = 1, attempts = 1 }: { alerts?: number; attempts?: number } = {},
): Promise<AlertDelivery[]> {
  return until(async () => {
    const list = await listAlerts(caller, projectId);
    // During an attempt an alert has neither an answer nor an error.
    const isDone = list.every(
      (one) => one.attempts >= attempts && (one.status !== 'pending' || one.error !== null),
    );
    return list.length >= alerts && isDone && list;
  });
}
