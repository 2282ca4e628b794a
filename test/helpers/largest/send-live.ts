// Sends messages over all websockets that a user may have, as fast as they can be sent.

import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { MAX_CONNECTIONS } from '#shared/api/live.ts';
import type { LiveIds, LiveInput } from './live-inputs.ts';

/** What was sent is answered when nothing has come for so long. */
const quietMs = 1500;
const longestMs = 60_000;

interface Sent {
  sentBytes: number;
  receivedBytes: number;
}

/** Settles when everything is sent and no answer comes any more. */
export async function sendLive(
  address: string,
  headers: Record<string, string>,
  { ids, input }: { ids: LiveIds; input: LiveInput },
): Promise<Sent> {
  const sent: Sent = { sentBytes: 0, receivedBytes: 0 };
  let last = performance.now();
  const sockets = await openAll(address, headers);
  for (const socket of sockets) {
    socket.on('message', (data) => {
      sent.receivedBytes += (data as Buffer).length;
      last = performance.now();
    });
    if (input.isDeaf) socket.pause();
  }
  for (const [at, socket] of sockets.entries()) {
    for (let index = 0; index < input.times; index += 1) {
      const message = input.message(ids, at * input.times + index);
      sent.sentBytes += message.length;
      socket.send(message, () => (last = performance.now()));
    }
  }
  const end = performance.now() + longestMs;
  // On a busy machine the server may be quiet for long before all has come back.
  const isComplete = () =>
    performance.now() > last + quietMs && sent.receivedBytes >= (input.answerBytes ?? 0);
  while (performance.now() < end && !isComplete()) await delay(100);
  await Promise.all(sockets.map(close));
  return sent;
}

/** All connections that a user may have, once the server has read to the ends of earlier ones. */
async function openAll(address: string, headers: Record<string, string>): Promise<WebSocket[]> {
  const end = performance.now() + longestMs;
  for (;;) {
    const sockets = await Promise.all(
      Array.from({ length: MAX_CONNECTIONS }, () => open(address, headers)),
    );
    await delay(100);
    const isRefused = sockets.some(({ readyState }) => readyState !== WebSocket.OPEN);
    if (!isRefused || performance.now() > end) return sockets;
    await Promise.all(sockets.map(close));
  }
}

async function open(address: string, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/api/ws`, { headers });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return socket;
}

async function close(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return;
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  socket.terminate();
  await closed;
}
