// The messages of the websocket `/api/ws`, in both directions.
//
// A client without subscriptions receives `update` and `log` for all of its projects, as clients of the older API expect.
// Others receive only what they have subscribed to, with line numbers: each line once, after the cursor of the client.

import { z } from 'zod';
import { id, time } from '../fields.ts';
import { logLine } from './task-log.ts';
import { task, type Task } from './tasks.ts';
import type { ErrorCode } from '../catalogue/errors.ts';
import type { Right } from '../rights.ts';

const topic = z.discriminatedUnion('topic', [
  /** Changes of tasks and resources of a project. */
  z.object({ topic: z.literal('project'), project_id: id }),
  z.object({ topic: z.literal('task_log'), project_id: id, task_id: id }),
]);
export type Topic = z.output<typeof topic>;

/** `connected`: no further permission. `member`: any role in the project. Otherwise a role with the right. */
export type LivePermission = 'connected' | 'member' | Right;

interface Message<S extends z.ZodObject = z.ZodObject> {
  permission: LivePermission;
  schema: S;
}

/** The server checks the permission for each message that it sends or receives. */
const message = <S extends z.ZodObject>(permission: LivePermission, schema: S): Message<S> => ({
  permission,
  schema,
});

type Schemas<List extends readonly Message[]> = { [Key in keyof List]: List[Key]['schema'] };

const schemasOf = <const List extends readonly Message[]>(list: List): Schemas<List> =>
  list.map(({ schema }) => schema) as never;

export const clientMessages = [
  message(
    'member',
    z.object({ type: z.literal('subscribe'), topic: z.literal('project'), project_id: id }),
  ),
  message(
    'task.log',
    z.object({
      type: z.literal('subscribe'),
      topic: z.literal('task_log'),
      project_id: id,
      task_id: id,
      /** The number of the client's last line; 0: send the whole log. */
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
  'roles',
  'grants',
  'keys',
  'repositories',
  'host_configs',
  'inventories',
  'environments',
  'execution_environments',
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

const updatedFields = {
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

export const updateOf = (changed: Task): ServerMessage => {
  const names = Object.keys(updatedFields) as (keyof typeof updatedFields)[];
  const fields = Object.fromEntries(names.map((name) => [name, changed[name]]));
  return {
    ...(fields as Pick<Task, keyof typeof updatedFields>),
    type: 'update',
    task_id: changed.id,
  };
};

export const serverMessages = [
  /** The subscription is active: the client receives everything from now on. */
  message('member', z.object({ type: z.literal('subscribed'), topic })),
  /** Lines of a log, numbered from `from`. */
  message(
    'task.log',
    z.object({
      type: z.literal('lines'),
      project_id: id,
      task_id: id,
      from: z.number().int().min(1),
      lines: z.array(logLine),
    }),
  ),
  /**
   * The unfinished last line: a prompt, or a progress bar. It follows the line `after`, has no number yet, and is
   * replaced by the next message of this type or by the finished line.
   */
  message(
    'task.log',
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
    'task.log',
    z.object({
      type: z.literal('log_end'),
      project_id: id,
      task_id: id,
      total: z.number().int(),
    }),
  ),
  /** A task was created or changed. */
  message('member', z.object({ type: z.literal('task'), project_id: id, task })),
  /** A resource of this noun has changed, so clients should read the noun again. */
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
      // Any text, since a newer server may send a code that the page does not have.
      code: z.custom<ErrorCode>((code) => typeof code === 'string'),
    }),
  ),
  // The messages of the older API for clients without subscriptions.
  message('member', task.pick(updatedFields).extend({ type: z.literal('update'), task_id: id })),
  message(
    'task.log',
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

/** How many characters of a line are sent. Clients read the rest through the API. */
export const liveWidth = 20_000;

/** The limit of connections of a user to each server. */
export const MAX_CONNECTIONS = 20;

/** Close codes of the websocket. */
export const closeCodes = {
  /** The server is shutting down; clients should reconnect. */
  goingAway: 1001,
  /** The client sent an invalid message. */
  badMessage: 4400,
  /** The session or token of the client has ended. */
  signedOut: 4401,
  /** The client reads too slowly; it should reconnect with its cursor. */
  tooSlow: 4408,
  /** The user has too many connections. */
  tooMany: 4429,
} as const;
