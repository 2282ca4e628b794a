// The largest messages of the websocket, and as many as a guest of a project may send.

import type { ClientMessage } from '#shared/api/live.ts';

export interface LiveIds {
  projectId: number;
  /** A task with a log of 41 MB. */
  taskId: number;
  /** Tasks that wait. */
  waiting: number[];
}

export interface LiveInput {
  what: string;
  /** How often each of all connections of a guest sends it. */
  times: number;
  message: (ids: LiveIds, index: number) => string;
  /** Whether the clients read nothing of what the server answers. */
  isDeaf?: boolean;
  /** How much at least has to come back to all connections together. */
  answerBytes?: number;
}

const mostMessageBytes = 4096;

/** A message as long as messages may be. */
const padded = (message: ClientMessage): string => JSON.stringify(message).padEnd(mostMessageBytes);

/** A message with as many unknown fields as there is room for. */
const withFields = (message: ClientMessage): string => {
  const open = JSON.stringify(message).slice(0, -1);
  const count = Math.floor((mostMessageBytes - open.length - 1) / 9);
  return `${open}${Array.from({ length: count }, (_, index) => `,"${1000 + index}":1`).join('')}}`;
};

type Kind = ClientMessage['type'];

const project = (project_id: number, type: Kind = 'subscribe'): ClientMessage =>
  ({ type, topic: 'project', project_id }) as ClientMessage;

const log = ({ projectId }: LiveIds, task_id: number, type: Kind = 'subscribe'): ClientMessage =>
  ({ type, topic: 'task_log', project_id: projectId, task_id, after: 0 }) as ClientMessage;

const text = (message: ClientMessage): string => JSON.stringify(message);

export const liveInputs: LiveInput[] = [
  {
    what: 'projects, in 4 kB',
    times: 500,
    message: ({ projectId }) => padded(project(projectId)),
  },
  {
    what: 'projects, with 440 unknown fields',
    times: 500,
    message: ({ projectId }) => withFields(project(projectId)),
  },
  {
    what: 'logs, with 440 unknown fields',
    times: 500,
    message: (ids) => withFields(log(ids, ids.taskId)),
  },
  {
    what: 'ends of projects, with 440 unknown fields',
    times: 500,
    message: ({ projectId }) => withFields(project(projectId, 'unsubscribe')),
  },
  {
    what: 'ends of logs, with 440 unknown fields',
    times: 500,
    message: (ids, index) => withFields(log(ids, index + 1, 'unsubscribe')),
  },
  {
    what: 'projects that do not exist',
    times: 10_000,
    message: (_ids, index) => text(project(1_000_000 + index)),
  },
  {
    what: 'logs that do not exist',
    times: 5000,
    message: (ids, index) => text(log(ids, 1_000_000 + index)),
  },
  {
    what: 'logs that do not exist, answers unread',
    times: 5000,
    isDeaf: true,
    message: (ids, index) => text(log(ids, 1_000_000 + index)),
  },
  {
    what: 'one log of 41 MB',
    answerBytes: 41_000_000,
    times: 20,
    message: (ids) => text(log(ids, ids.taskId)),
  },
  {
    what: 'one log of 41 MB, unread',
    times: 20,
    isDeaf: true,
    message: (ids) => text(log(ids, ids.taskId)),
  },
  {
    what: 'logs of 300 tasks that wait',
    times: 300,
    message: (ids, index) => text(log(ids, ids.waiting[index % ids.waiting.length] ?? 0)),
  },
  {
    what: 'one project, again and again',
    times: 5000,
    message: ({ projectId }) => text(project(projectId)),
  },
];
