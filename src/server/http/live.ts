// The websocket /api/ws: who connects (same origin, session), what they subscribe to, and
// for every message again whether they may still see it.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES, type Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { AppError } from '../errors.ts';
import { isOwnOrigin } from './same-origin.ts';
import { closeCodes } from '#shared/live.ts';
import type { Credentials } from './credentials.ts';
import { LiveClient, type LiveSources } from './live-client.ts';

export interface LiveOptions {
  publicUrl: string | null;
  sources: LiveSources;
  /** What an upgrade request brings to say who sends it. */
  credentialsOf: (request: IncomingMessage) => Credentials | null;
}

export interface LiveServer {
  close: () => Promise<void>;
}

// Messages of clients are short; milliseconds.
const longestMessage = 4096;
const pingTime = 30_000;

export function serveLive(
  server: Server,
  { publicUrl, sources, credentialsOf }: LiveOptions,
): LiveServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestMessage,
    perMessageDeflate: false,
  });
  const clients = new Set<LiveClient>();
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const { origin, host } = request.headers;
    const [path] = (request.url ?? '').split('?');
    if (path?.replace(/\/$/, '') !== '/api/ws') return refuse(socket, 404);
    if (origin !== undefined && !isOwnOrigin(origin, host, publicUrl)) return refuse(socket, 403);
    const credentials = credentialsOf(request);
    const actor = credentials && (await sources.authenticate(credentials));
    if (!credentials || !actor) return refuse(socket, 401);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const client = new LiveClient(webSocket, credentials, sources);
      clients.add(client);
      webSocket.once('close', () => clients.delete(client));
    });
  };
  server.on('upgrade', (request, socket, head) => {
    upgrade(request, socket, head).catch((error: unknown) => {
      refuse(socket, error instanceof AppError ? error.status : 500);
    });
  });
  const ping = setInterval(() => pingAll(sockets.clients), pingTime);
  const closeAll = (): void => {
    for (const client of clients) client.close(closeCodes.goingAway);
  };
  // They connect again, and read again what they show.
  const endMissed = sources.hub.subscribe('missed', closeAll);
  return {
    async close() {
      clearInterval(ping);
      endMissed();
      closeAll();
      await new Promise((resolve) => {
        sockets.close(resolve);
      });
    },
  };
}

const silent = new WeakSet<WebSocket>();

/** Ends connections that did not answer the ping before. */
function pingAll(sockets: Set<WebSocket>): void {
  for (const socket of sockets) {
    if (silent.has(socket)) {
      socket.terminate();
      continue;
    }
    silent.add(socket);
    socket.once('pong', () => silent.delete(socket));
    socket.ping();
  }
}

function refuse(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
