// The messages of the websocket `/api/ws`, both ways.
//
// A client that sends nothing gets `update` and `log` for all its projects, as clients
// of the older API expect. A client that subscribes gets only what it asked for, with line
// numbers: every line once, from its cursor on.

import { z } from 'zod';
import { id, time } from '../fields.ts';
import { logLine } from './task-log.ts';
import { task } from './tasks.ts';
import { errorCodes } from '../errors.ts';
import type { ProjectRequirement } from '../permissions.ts';
import { taskStatuses } from '../task-status.ts';

const topic = z.discriminatedUnion('topic', [
  /** Changes of the project's tasks and resources. */
  z.object({ topic: z.literal('project'), project_id: id }),
  /** The log of one task. */
  z.object({ topic: z.literal('task_log'), project_id: id, task_id: id }),
]);
export type Topic = z.output<typeof topic>;

/**
 * What a message asks of a client: `connected`: nothing but the connection. `member`: any role in
 * its project. A project requirement: a role that meets it.
 */
export type LivePermission = 'connected' | 'member' | ProjectRequirement;

interface Message<S extends z.ZodObject = z.ZodObject> {
  permission: LivePermission;
  schema: S;
}

/** A message with what it takes to send it to the server, or to be sent it: checked for each one. */
const message = <S extends z.ZodObject>(permission: LivePermission, schema: S): Message<S> => ({
  permission,
  schema,
});

type Schemas<List extends readonly Message[]> = { [Key in keyof List]: List[Key]['schema'] };

const schemasOf = <const List extends readonly Message[]>(list: List): Schemas<List> =>
  list.map(({ schema }) => schema) as never;

/** What clients send. */
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
      /** The last line the client holds; 0 asks for the whole log. */
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
  'inventories',
  'environments',
  'views',
  'templates',
  'schedules',
  'events',
  'integrations',
  'deliveries',
  'alertChannels',
  'alertDeliveries',
] as const;
export type ChangedNoun = (typeof changedNouns)[number];

/** What the server sends. */
export const serverMessages = [
  /** The subscription stands: nothing that happens from here on is missed. */
  message('member', z.object({ type: z.literal('subscribed'), topic })),
  /** Lines of a log; the first one has the number `from`. */
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
  /** Something of this noun changed: read it again. */
  message(
    'member',
    z.object({ type: z.literal('changed'), project_id: id, noun: z.enum(changedNouns) }),
  ),
  /** The subscription was refused or has ended, for example because access was lost. */
  message(
    'connected',
    z.object({ type: z.literal('refused'), topic: topic.optional(), code: z.enum(errorCodes) }),
  ),
  // The two messages of the older API.
  message(
    'member',
    z.object({
      type: z.literal('update'),
      project_id: id,
      template_id: id,
      task_id: id,
      status: z.enum(taskStatuses),
      start: time.nullable(),
      end: time.nullable(),
      version: z.string().nullable(),
    }),
  ),
  message(
    'member',
    z.object({
      type: z.literal('log'),
      project_id: id,
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

/** Characters of a line that are sent live; the whole of a longer one is read through the API. */
export const liveWidth = 20_000;

/** Connections that one user may have at once, to each server. */
export const mostConnections = 20;

/** Close codes of the websocket. */
export const closeCodes = {
  /** The server stops: come back in a moment. */
  goingAway: 1001,
  /** A message was not understood. */
  badMessage: 4400,
  /** The session ended: sign in again. */
  signedOut: 4401,
  /** The client reads too slowly: come back with your cursor. */
  tooSlow: 4408,
  /** The user has as many connections as one may have: close another one. */
  tooMany: 4429,
} as const;
