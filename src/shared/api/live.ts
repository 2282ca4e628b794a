// The messages of the websocket `/api/ws`, both ways.
//
// A client that sends nothing gets `update` and `log` for all its projects, as clients
// of the older API expect. A client that subscribes gets only what it asked for, with line
// numbers: every line once, from its cursor (the last line that it has) on.

import { z } from 'zod';
import { id, time } from '../fields.ts';
import { logLine } from './task-log.ts';
import { task, type Task } from './tasks.ts';
import type { ErrorCode } from '../catalogue/errors.ts';
import type { ProjectRequirement } from '../permissions.ts';

const topic = z.discriminatedUnion('topic', [
  /** Reports changes of the project's tasks and resources. */
  z.object({ topic: z.literal('project'), project_id: id }),
  /** Sends the log of one task. */
  z.object({ topic: z.literal('task_log'), project_id: id, task_id: id }),
]);
export type Topic = z.output<typeof topic>;

/**
 * What a client needs for a message. `connected`: only the connection. `member`: any role in the
 * project. A project requirement: a role that meets it.
 */
export type LivePermission = 'connected' | 'member' | ProjectRequirement;

interface Message<S extends z.ZodObject = z.ZodObject> {
  permission: LivePermission;
  schema: S;
}

/** A message and the permission that a client needs to send or receive it. The server checks it for each message. */
const message = <S extends z.ZodObject>(permission: LivePermission, schema: S): Message<S> => ({
  permission,
  schema,
});

type Schemas<List extends readonly Message[]> = { [Key in keyof List]: List[Key]['schema'] };

const schemasOf = <const List extends readonly Message[]>(list: List): Schemas<List> =>
  list.map(({ schema }) => schema) as never;

/** The messages that clients send. */
export const clientMessages = [
  message(
    'member',
    z.object({ type: z.literal('subscribe'), topic: z.literal('project'), project_id: id }),
  ),
  message(
    'member',
    z.object({
      type: z.literal('subscribe'),
      topic: z.literal('task_log'),
      project_id: id,
      task_id: id,
      /** The number of the last line that the client has; 0 for the whole log. */
      after: z.number().int().min(0).default(0),
    }),
  ),
  message(
    'connected',
    z.object({ type: z.literal('unsubscribe'), topic: z.literal('project'), project_id: id }),
  ),
  message(
    'connected',
    z.object({
      type: z.literal('unsubscribe'),
      topic: z.literal('task_log'),
      project_id: id,
      task_id: id,
    }),
  ),
] as const;

export const clientMessage = z.union(schemasOf(clientMessages));
export type ClientMessage = z.output<typeof clientMessage>;

const changedNouns = [
  'projects',
  'members',
  'keys',
  'repositories',
  'host_configs',
  'inventories',
  'environments',
  'views',
  'templates',
  'workflows',
  'workflowRuns',
  'schedules',
  'events',
  'integrations',
  'deliveries',
  'alertChannels',
  'alertDeliveries',
] as const;
export type ChangedNoun = (typeof changedNouns)[number];

/** The fields of a task in the message `update`. */
const toldOfTasks = {
  id: true,
  project_id: true,
  template_id: true,
  status: true,
  created: true,
  start: true,
  end: true,
  user_id: true,
  user_name: true,
  message: true,
  version: true,
  build_task_id: true,
  build_task: true,
  commit_hash: true,
  commit_message: true,
  environment: true,
  debug: true,
  dry_run: true,
  diff: true,
  arguments: true,
  tpl_alias: true,
  tpl_type: true,
} as const satisfies { [Name in keyof Task]?: true };

/** What the message `update` tells of a task. */
export const updateOf = (changed: Task): ServerMessage => {
  const names = Object.keys(toldOfTasks) as (keyof typeof toldOfTasks)[];
  const fields = Object.fromEntries(names.map((name) => [name, changed[name]]));
  return {
    ...(fields as Pick<Task, keyof typeof toldOfTasks>),
    type: 'update',
    task_id: changed.id,
  };
};

/** The messages that the server sends. */
export const serverMessages = [
  /** The subscription is active: the client gets everything that happens from here on. */
  message('member', z.object({ type: z.literal('subscribed'), topic })),
  /** Lines of a log; the first of them has the number `from`. */
  message(
    'member',
    z.object({
      type: z.literal('lines'),
      project_id: id,
      task_id: id,
      from: z.number().int().min(1),
      lines: z.array(logLine),
    }),
  ),
  /**
   * The last line before its end: a prompt, or a progress bar. It comes after the line `after`, has no
   * number yet, and is replaced by the next message of this type or by that line.
   */
  message(
    'member',
    z.object({
      type: z.literal('partial'),
      project_id: id,
      task_id: id,
      after: z.number().int().min(0),
      output: z.string(),
    }),
  ),
  /** The task is finished and its last line has been sent. */
  message(
    'member',
    z.object({
      type: z.literal('log_end'),
      project_id: id,
      task_id: id,
      total: z.number().int(),
    }),
  ),
  /** A task was created or changed. */
  message('member', z.object({ type: z.literal('task'), project_id: id, task })),
  /** A resource of this noun changed, so the client should read the noun again. */
  message(
    'member',
    z.object({ type: z.literal('changed'), project_id: id, noun: z.enum(changedNouns) }),
  ),
  /** The subscription was refused or has ended, for example because access was lost. */
  message(
    'connected',
    z.object({
      type: z.literal('refused'),
      topic: topic.optional(),
      // Any text, since a newer server may send a code that the page does not know yet.
      code: z.custom<ErrorCode>((code) => typeof code === 'string'),
    }),
  ),
  // The two messages of the older API, which are sent to clients that do not subscribe.
  message('member', task.pick(toldOfTasks).extend({ type: z.literal('update'), task_id: id })),
  message(
    'member',
    z.object({
      type: z.literal('log'),
      project_id: id,
      template_id: id,
      task_id: id,
      output: z.string(),
      time,
    }),
  ),
] as const;

export const serverMessage = z.discriminatedUnion('type', schemasOf(serverMessages));
export type ServerMessage = z.output<typeof serverMessage>;

/** The permission that the declaration of a message names. */
export function permissionOf(sent: ClientMessage | ServerMessage): LivePermission {
  const isOfClient = sent.type === 'subscribe' || sent.type === 'unsubscribe';
  const list: readonly Message[] = isOfClient ? clientMessages : serverMessages;
  const found = list.find(({ schema: { shape } }) => {
    const { type, topic: about } = shape;
    if (!isLiteral(type, sent.type)) return false;
    return !isOfClient || isLiteral(about, sent.topic);
  });
  if (!found) throw new Error(`The message "${sent.type}" is not declared`);
  return found.permission;
}

const isLiteral = (schema: unknown, value: string): boolean =>
  schema instanceof z.ZodLiteral && schema.values.has(value);

/** Characters of a line that are sent live. A client reads the rest of a longer line through the API. */
export const liveWidth = 20_000;

/** How many connections a user may have at once to each server. */
export const MAX_CONNECTIONS = 20;

/** Close codes of the websocket. */
export const closeCodes = {
  /** The server is shutting down; the client should reconnect in a moment. */
  goingAway: 1001,
  /** The client sent a message that is not valid. */
  badMessage: 4400,
  /** The session or token of the client has ended. */
  signedOut: 4401,
  /** The client reads too slowly; it should reconnect and send its cursor. */
  tooSlow: 4408,
  /** The user already has as many connections as allowed. */
  tooMany: 4429,
} as const;
