// A client of the websocket that keeps all messages.

import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientMessage, ServerMessage } from '#shared/api/live.ts';
import { until } from './until.ts';

export interface LiveConnection {
  messages: ServerMessage[];
  send: (message: ClientMessage | string) => void;
  /** The close code, when the websocket is closed. */
  closed: Promise<number>;
  /** Ends the connection without a close message, as a lost connection does. */
  cut: () => void;
  socket: WebSocket;
  untilMessage: <Type extends ServerMessage['type']>(
    type: Type,
  ) => Promise<Extract<ServerMessage, { type: Type }>>;
}

export async function connect(
  address: string,
  headers: Record<string, string>,
): Promise<LiveConnection> {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/api/ws`, { headers });
  const messages: ServerMessage[] = [];
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data as Buffer)) as ServerMessage);
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  onTestFinished(() => socket.terminate());
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  return {
    messages,
    socket,
    closed,
    send: (message) => {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    },
    cut: () => socket.terminate(),
    async untilMessage(type) {
      const found = await until(() => messages.find((message) => message.type === type));
      return found as never;
    },
  };
}

/** The log lines among messages, by the numbers that the server gave them. */
export function linesOf(messages: ServerMessage[]): { number: number; output: string }[] {
  return messages.flatMap((message) =>
    message.type === 'lines'
      ? message.lines.map(({ output }, index) => ({ number: message.from + index, output }))
      : [],
  );
}
