// The messages of the websocket `/api/ws`, both ways.
//
// A client that sends nothing gets `update` and `log` for all its projects, as clients
// of the older API expect. A client that subscribes gets only what it asked for, with line
// numbers: every line once, from its cursor on.

import { z } from 'zod';
import { id, time } from './api/fields.ts';
import { logLine } from './api/task-log.ts';
import { task } from './api/tasks.ts';
import { errorCodes } from './errors.ts';
import { taskStatuses } from './task-status.ts';

const topic = z.discriminatedUnion('topic', [
  /** Changes of the project's tasks and resources. */
  z.object({ topic: z.literal('project'), project_id: id }),
  /** The log of one task. */
  z.object({ topic: z.literal('task_log'), project_id: id, task_id: id }),
]);
export type Topic = z.output<typeof topic>;

export const clientMessage = z.union([
  z.object({
    type: z.literal('subscribe'),
    topic: z.literal('project'),
    project_id: id,
  }),
  z.object({
    type: z.literal('subscribe'),
    topic: z.literal('task_log'),
    project_id: id,
    task_id: id,
    /** The last line the client holds; 0 asks for the whole log. */
    after: z.number().int().min(0).default(0),
  }),
  z.object({ type: z.literal('unsubscribe'), topic: z.literal('project'), project_id: id }),
  z.object({
    type: z.literal('unsubscribe'),
    topic: z.literal('task_log'),
    project_id: id,
    task_id: id,
  }),
]);
export type ClientMessage = z.output<typeof clientMessage>;

export const changedNouns = [
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

export const serverMessage = z.discriminatedUnion('type', [
  /** The subscription stands: nothing that happens from here on is missed. */
  z.object({ type: z.literal('subscribed'), topic }),
  /** Lines of a log; the first one has the number `from`. */
  z.object({
    type: z.literal('lines'),
    project_id: id,
    task_id: id,
    from: z.number().int().min(1),
    lines: z.array(logLine),
  }),
  /** The task is finished and its last line has been sent. */
  z.object({
    type: z.literal('log_end'),
    project_id: id,
    task_id: id,
    total: z.number().int(),
  }),
  /** A task was created or changed. */
  z.object({ type: z.literal('task'), project_id: id, task }),
  /** Something of this noun changed: read it again. */
  z.object({ type: z.literal('changed'), project_id: id, noun: z.enum(changedNouns) }),
  /** The subscription was refused or has ended, for example because access was lost. */
  z.object({ type: z.literal('refused'), topic: topic.optional(), code: z.enum(errorCodes) }),
  // The two messages of the older API.
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
  z.object({
    type: z.literal('log'),
    project_id: id,
    task_id: id,
    output: z.string(),
    time,
  }),
]);
export type ServerMessage = z.output<typeof serverMessage>;

/** Characters of a line that are sent live; the whole of a longer one is read through the API. */
export const liveWidth = 20_000;

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
} as const;
