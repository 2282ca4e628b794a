// Follows tasks and their logs on a websocket, as the console does.

import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ClientMessage, ServerMessage } from '#shared/api/live.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { type Installation, longestTaskMs, succeeded } from './installation.ts';

/** A script that prints the time in `atOnce` lines, a hundred times a second. */
export const clock = (atOnce: number, seconds: number): string => `LC_ALL=C
exec 9<> <(:)
for ((turn = 0; turn < ${seconds * 100}; turn++)); do
  for ((line = 0; line < ${atOnce}; line++)); do echo "$EPOCHREALTIME"; done
  read -t 0.01 -u 9
done
:
`;

export async function openSocket(address: string, cookie: string): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/api/ws`, { headers: { cookie } });
  await once(socket, 'open');
  return socket;
}

/** Subscribes to the log of a task from its first line. */
export const subscribe = (socket: WebSocket, project_id: number, task_id: number): void =>
  send(socket, { type: 'subscribe', topic: 'task_log', project_id, task_id, after: 0 });

const send = (socket: WebSocket, message: ClientMessage): void =>
  socket.send(JSON.stringify(message));

export const messageOf = (data: WebSocket.RawData): ServerMessage =>
  JSON.parse(String(data as Buffer)) as ServerMessage;

/** The milliseconds from the time in each line of a message to its arrival. */
export const delaysIn = (message: ServerMessage, arrived: number): number[] =>
  message.type === 'lines' ? message.lines.flatMap(({ output }) => delayOf(output, arrived)) : [];

/** Empty for a line that the script did not print. */
export const delayOf = (line: string, arrived: number): number[] =>
  /^\d+\.\d{6}$/.test(line) ? [arrived - Number(line) * 1000] : [];

export interface Ends {
  /** Resolves when the task has ended; rejects unless it succeeded. */
  of: (id: number) => Promise<Task>;
  close: () => void;
}

/** Follows the ends of a project's tasks. Polling would take processor time from the tasks. */
export async function followEnds(
  { server, cookie }: Pick<Installation, 'server' | 'cookie'>,
  project_id: number,
): Promise<Ends> {
  const socket = await openSocket(server.address, cookie);
  const ends = new Map<number, PromiseWithResolvers<Task>>();
  const endOf = (id: number): PromiseWithResolvers<Task> => {
    const end = ends.get(id) ?? Promise.withResolvers<Task>();
    ends.set(id, end);
    return end;
  };
  const subscribed = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const message = messageOf(data);
    if (message.type === 'subscribed') subscribed.resolve();
    else if (message.type !== 'task' || !isFinished(message.task.status)) return;
    else endOf(message.task.id).resolve(message.task);
  });
  send(socket, { type: 'subscribe', topic: 'project', project_id });
  await subscribed.promise;
  return {
    async of(id) {
      const { promise, reject } = endOf(id);
      const late = setTimeout(() => reject(new Error(`Task ${id} did not end.`)), longestTaskMs);
      const task = await promise;
      clearTimeout(late);
      return succeeded(task);
    },
    close: () => socket.close(),
  };
}
