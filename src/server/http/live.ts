// The websocket server at /api/ws: origin, authentication, connection limits and pings.

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { type AppError, fail } from '../lib/errors.ts';
import { yieldToEventLoop } from '../lib/fair-queue.ts';
import { SetMap } from '../lib/set-map.ts';
import { createOwnHosts, unknownHost, type IsOwnHost, isOwnOrigin } from './request-origin.ts';
import { rawResponse, toRefusal } from './reply-error.ts';
import type { Config } from '../config/config.ts';
import { closeCodes, MAX_CONNECTIONS } from '#shared/api/live.ts';
import type { Credentials } from './actor.ts';
import { LiveClient, type LiveSources } from './live-client.ts';
import { LiveRights, type Holder } from './live-rights.ts';
import type { Projects } from '../live/broadcast.ts';

export interface LiveOptions {
  config: Config;
  sources: LiveSources;
  credentialsOf: (request: IncomingMessage) => Credentials | null;
}

export type LiveServer = ReturnType<typeof serveLive>;

const MAX_MESSAGE_BYTES = 4096;
const PING_INTERVAL_MS = 30_000;

/** Refuses a plain request, from which a proxy has removed the upgrade. Real upgrades bypass all routes. */
export function refusePlainRequests(app: FastifyInstance): void {
  const rateLimit = { max: 600, timeWindow: 60_000, perServer: true };
  app.get(livePath, { config: { permission: 'public', rateLimit } }, (_request, reply) => {
    reply.header('Upgrade', 'websocket');
    throw fail('request.no_upgrade');
  });
}

const livePath = '/api/ws';

export function serveLive(server: Server, options: LiveOptions) {
  const { sources } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    // Otherwise all messages of one read would be processed in one tick.
    allowSynchronousEvents: false,
  });
  const rights = new LiveRights(sources);
  const clients = new SetMap<number, LiveClient>();
  const upgrade = createUpgrade(options, sockets, rights, clients);
  server.on('upgrade', (request, socket, head) => {
    // Node has removed its error listener; an unhandled error would crash the server.
    socket.on('error', () => undefined);
    upgrade(request, socket, head).catch((error: unknown) => {
      refuse(socket, toRefusal(error));
    });
  });
  const pings = setInterval(() => pingAll(sockets.clients), PING_INTERVAL_MS);
  const closeAll = (): void => {
    for (const client of clients.all()) {
      void yieldToEventLoop().then(() => client.close(closeCodes.goingAway));
    }
  };
  const ends = [
    // Clients reconnect and read again.
    sources.hub.subscribe('hub.events-missed', () => {
      rights.forget(null);
      closeAll();
    }),
    sources.hub.subscribe('permission.changed', ({ userId }) => {
      rights.forget(userId);
      for (const client of userId === null ? [] : clients.of(userId)) {
        client.checkSession().catch(() => client.close(1011));
      }
    }),
  ];
  return {
    count: () => sockets.clients.size,
    async close(): Promise<void> {
      clearInterval(pings);
      for (const end of ends) end();
      closeAll();
      await new Promise((resolve) => {
        sockets.close(resolve);
      });
    },
  };
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

function createUpgrade(
  { config, sources, credentialsOf }: LiveOptions,
  sockets: WebSocketServer,
  rights: LiveRights,
  clients: SetMap<number, LiveClient>,
): Upgrade {
  const isOwnHost = createOwnHosts(config);
  const connect = (webSocket: WebSocket, holder: Holder, projects: Projects): void => {
    const { userId } = holder;
    if (clients.of(userId).length >= MAX_CONNECTIONS) {
      closeOneTooMany(webSocket);
      return;
    }
    const client = new LiveClient(webSocket, { sources, rights }, holder, projects);
    clients.add(userId, client);
    webSocket.once('close', () => {
      clients.delete(userId, client);
      if (clients.of(userId).length === 0) rights.forget(userId);
    });
  };
  return async (request, socket, head) => {
    const [path] = (request.url ?? '').split('?');
    if (path?.replace(/\/$/, '') !== livePath) return refuse(socket, 404);
    const refusal = refusalOf(request, config.publicUrl, isOwnHost);
    if (refusal) return refuse(socket, refusal);
    const credentials = credentialsOf(request);
    const actor = credentials && (await sources.authenticate(credentials));
    if (!credentials || !actor) return refuse(socket, 401);
    const projects = await sources.projectsOf(actor);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      connect(webSocket, { userId: actor.userId, credentials }, projects);
    });
  };
}

/** Null when allowed, as for pages of the public address, whose Host header a proxy may rewrite. */
function refusalOf(
  { headers }: IncomingMessage,
  publicUrl: string | null,
  isOwnHost: IsOwnHost,
): AppError | null {
  const { origin, host, authorization } = headers;
  const isPublic = origin !== undefined && isOwnOrigin(origin, undefined, publicUrl);
  if (isPublic) return null;
  if (authorization === undefined && host !== undefined && !isOwnHost(host)) {
    return unknownHost(host);
  }
  const isForeign = origin !== undefined && !isOwnOrigin(origin, host, publicUrl);
  return isForeign ? fail('request.cross_site') : null;
}

// How long a refused client has to complete the close handshake.
const MAX_CLOSE_MS = 2000;

/** Refuses after the handshake, because browsers do not report why a handshake failed. */
function closeOneTooMany(webSocket: WebSocket): void {
  webSocket.on('error', () => undefined);
  webSocket.close(closeCodes.tooMany, `${MAX_CONNECTIONS} connections are open already`);
  setTimeout(() => webSocket.terminate(), MAX_CLOSE_MS).unref();
}

const silent = new WeakSet<WebSocket>();

/** Closes connections that did not answer the previous ping. */
function pingAll(sockets: Set<WebSocket>): void {
  for (const socket of sockets) void yieldToEventLoop().then(() => ping(socket));
}

function ping(socket: WebSocket): void {
  if (silent.has(socket)) {
    socket.terminate();
    return;
  }
  silent.add(socket);
  socket.once('pong', () => silent.delete(socket));
  socket.ping();
}

function refuse(socket: Duplex, why: number | AppError): void {
  const status = typeof why === 'number' ? why : why.status;
  const text = typeof why === 'number' ? '' : why.message;
  socket.end(rawResponse(status, 'text/plain', text));
}
