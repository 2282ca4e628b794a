// Follows the log of a task on a websocket, as the console does.

import { WebSocket } from 'ws';
import type { ClientMessage, ServerMessage } from '#shared/api/live.ts';

/** A script that prints the time in each line, so many lines at once, a hundred times a second. */
export const clock = (atOnce: number, seconds: number): string => `LC_ALL=C
exec 9<> <(:)
for ((turn = 0; turn < ${seconds * 100}; turn++)); do
  for ((line = 0; line < ${atOnce}; line++)); do echo "$EPOCHREALTIME"; done
  read -t 0.01 -u 9
done
:
`;

/** `address` is that of the server. */
export async function openSocket(address: string, cookie: string): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/api/ws`, { headers: { cookie } });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return socket;
}

/** Asks for the whole log of a task. */
export function subscribe(socket: WebSocket, project_id: number, task_id: number): void {
  const wish = { type: 'subscribe', topic: 'task_log', project_id, task_id, after: 0 } as const;
  socket.send(JSON.stringify(wish satisfies ClientMessage));
}

export const messageOf = (data: WebSocket.RawData): ServerMessage =>
  JSON.parse(String(data as Buffer)) as ServerMessage;

/** The milliseconds from the time in each line of a message to its arrival. */
export function delaysIn(message: ServerMessage, arrived: number): number[] {
  if (message.type !== 'lines') return [];
  return message.lines
    .filter(({ output }) => /^\d+\.\d{6}$/.test(output))
    .map(({ output }) => arrived - Number(output) * 1000);
}
