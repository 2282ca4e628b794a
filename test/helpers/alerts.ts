// Alert channels and what receives from them.

import { alertChannels, type AlertChannel } from '#shared/api/alert-channels.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import type { Caller, TestApp } from './app.ts';

type Fields = Partial<CallOf<typeof alertChannels.create>['body']>;

let count = 0;

/** A channel of the project, a webhook unless said otherwise. */
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

/** A channel and an alert that failed, for tests that need an id of each. */
export async function plantAlert(
  { admin, ctx }: TestApp,
  projectId: number,
): Promise<{ alert_channel_id: number; alert_delivery_id: number }> {
  // Refused before anything is connected to.
  const channel = await addChannel(admin, projectId, { address: 'http://127.0.0.1:9/hook' });
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
