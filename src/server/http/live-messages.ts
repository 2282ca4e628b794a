// Helpers about the messages and topics of one websocket connection.

import type { LogLine } from '#shared/api/task-log.ts';
import type { ClientMessage, ServerMessage, Topic } from '#shared/api/live.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import { yieldToEventLoop } from '../lib/fair-queue.ts';

/** Serialized lines, shared by all clients of the same log. */
const texts = new WeakMap<LogLine[], Buffer>();

export function textOfLines(message: Extract<ServerMessage, { type: 'lines' }>): Buffer {
  const text = texts.get(message.lines) ?? Buffer.from(JSON.stringify(message));
  texts.set(message.lines, text);
  return text;
}

export const isOfProject = (code: ErrorCode): boolean =>
  code === 'project.not_found' || code === 'permission.denied' || code === 'task.not_found';

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function topicOf(message: ClientMessage): Topic {
  return message.topic === 'project'
    ? { topic: 'project', project_id: message.project_id }
    : { topic: 'task_log', project_id: message.project_id, task_id: message.task_id };
}

export function keyOf(topic: Topic): string {
  return topic.topic === 'project'
    ? `project ${topic.project_id}`
    : `log ${topic.project_id} ${topic.task_id}`;
}

/** Many connections with many subscriptions may close at once. */
export async function abortInTurn(subscriptions: AbortController[]): Promise<void> {
  for (const subscription of subscriptions) {
    await yieldToEventLoop();
    subscription.abort();
  }
}
