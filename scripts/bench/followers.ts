// A thread with many websockets that all follow the log of one task. It says when all of them follow,
// and at the end what the sampled ones have seen.

import { parentPort, workerData } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { mostConnections } from '#shared/api/live.ts';
import { delaysIn, messageOf, openSocket, subscribe } from './follow.ts';
import { now } from './installation.ts';

export interface Following {
  address: string;
  /** The sessions, each of which may have `mostConnections` sockets. */
  cookies: string[];
  sockets: number;
  projectId: number;
  taskId: number;
}

/** What the thread posts: first `follow`, then `ended`. */
export type FollowerMessage = { kind: 'follow' } | { kind: 'ended'; delays: number[] };

/** So many sockets read every line; the others would only take time from the server. */
const sampled = 20;
/** Messages up to this length are looked at on every socket: the answer and the end. */
const shortMessageBytes = 200;

const wanted = workerData as Following;
const tell = (told: FollowerMessage): void => parentPort?.postMessage(told);

async function openAll({ address, cookies, sockets }: Following): Promise<WebSocket[]> {
  const open: WebSocket[] = [];
  for (const cookie of cookies) {
    const length = Math.min(mostConnections, sockets - open.length);
    const opening = Array.from({ length }, () => openSocket(address, cookie));
    open.push(...(await Promise.all(opening)));
  }
  return open;
}

interface Follower {
  /** Settles when the server has accepted the subscription. */
  follows: Promise<void>;
  /** Settles with the whole log; the value is the delay of each line, if they are wanted. */
  ended: Promise<number[]>;
}

function follow(socket: WebSocket, isSampled: boolean): Follower {
  const follows = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number[]>();
  const delays: number[] = [];
  socket.on('message', (data: Buffer) => {
    const arrived = now();
    if (!isSampled && data.length > shortMessageBytes) return;
    const message = messageOf(data);
    delays.push(...delaysIn(message, arrived));
    if (message.type === 'subscribed') follows.resolve();
    if (message.type === 'log_end') ended.resolve(delays);
  });
  socket.on('close', (code) => ended.reject(new Error(`A socket was closed with ${code}.`)));
  subscribe(socket, wanted.projectId, wanted.taskId);
  return { follows: follows.promise, ended: ended.promise };
}

const sockets = await openAll(wanted);
const every = Math.ceil(sockets.length / sampled);
const followers = sockets.map((socket, index) => follow(socket, index % every === 0));
const ends = Promise.all(followers.map(({ ended }) => ended));
await Promise.all(followers.map(({ follows }) => follows));
tell({ kind: 'follow' });
tell({ kind: 'ended', delays: (await ends).flat() });
for (const socket of sockets) socket.terminate();
