// One connection of the websocket. It is a plain connection, as of the older API, until it subscribes to something.

import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { LogLine } from '#shared/api/task-log.ts';
import {
  clientMessage,
  closeCodes,
  permissionOf,
  type ClientMessage,
  type ServerMessage,
  type Topic,
} from '#shared/api/live.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import type { Batch, Broadcast, Projects } from '../live/broadcast.ts';
import type { Feeds } from '../live/feeds.ts';
import { followLog, type LogSource } from '../live/follow.ts';
import type { Hub } from '../live/hub.ts';
import type { Partial, Partials } from '../live/partials.ts';
import { ReadPace } from '../live/read-pace.ts';
import { yieldToEventLoop } from '../lib/fair-queue.ts';
import type { Log } from '../../node/log/log.ts';
import type { Holder, LiveActor, LiveRights, RightsSources } from './live-rights.ts';

export interface LiveSources extends RightsSources {
  hub: Hub;
  log: Log;
  broadcast: Broadcast;
  feeds: Feeds;
  partials: Partials;
  /** The ids of the projects that an actor may see. */
  projectsOf: (actor: LiveActor) => Promise<Projects>;
  hasTask: (projectId: number, taskId: number) => Promise<boolean>;
  logOf: (taskId: number) => LogSource;
  /** The most bytes that may wait for a client, and the milliseconds that it has to read them. */
  limits: { waiting: number; readMs: number };
}

interface Subscription {
  signal: AbortSignal;
  /** Called with the first answer. */
  answered: () => void;
}

export class LiveClient {
  readonly #socket: WebSocket;
  readonly #holder: Holder;
  readonly #sources: LiveSources;
  readonly #rights: LiveRights;
  readonly #subscriptions = new Map<string, AbortController>();
  readonly #pace: ReadPace;
  #endPlain: (() => void) | null;

  constructor(
    socket: WebSocket,
    { sources, rights }: { sources: LiveSources; rights: LiveRights },
    holder: Holder,
    projects: Projects,
  ) {
    this.#socket = socket;
    this.#pace = new ReadPace(socket);
    this.#holder = holder;
    this.#sources = sources;
    this.#rights = rights;
    const receiver = {
      userId: holder.userId,
      projects: () => this.#projects(),
      send: (projectId: number, batch: Batch) => this.#sendPlain(projectId, batch),
    };
    this.#endPlain = sources.broadcast.add(receiver, projects);
    socket.on('message', (data) => this.#receive(String(data as Buffer)));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#end());
  }

  /** Closes the connection of a session or token that has ended. */
  async checkSession(): Promise<void> {
    if (!(await this.#rights.actorOf(this.#holder))) this.close(closeCodes.signedOut);
  }

  async #projects(): Promise<Projects> {
    const actor = await this.#rights.actorOf(this.#holder);
    return actor ? this.#sources.projectsOf(actor) : [];
  }

  close(code: number): void {
    this.#socket.close(code);
    this.#end();
  }

  #end(): void {
    this.#endPlain?.();
    this.#endPlain = null;
    const subscriptions = [...this.#subscriptions.values()];
    this.#subscriptions.clear();
    void abortInTurn(subscriptions);
  }

  #receive(text: string): void {
    const message = clientMessage.safeParse(parseJson(text));
    // Clients of the older API may send other texts, which the older API ignores too.
    if (!message.success) {
      if (!this.#endPlain) this.close(closeCodes.badMessage);
      return;
    }
    this.#endPlain?.();
    this.#endPlain = null;
    const key = keyOf(message.data);
    this.#subscriptions.get(key)?.abort();
    this.#subscriptions.delete(key);
    if (message.data.type === 'unsubscribe') return;
    const subscription = new AbortController();
    this.#subscriptions.set(key, subscription);
    const answered = this.#pace.begin();
    this.#subscribe(message.data, { signal: subscription.signal, answered })
      .catch((error: unknown) => {
        this.#sources.log.error({ err: error }, 'websocket subscription failed');
        this.close(1011);
      })
      .finally(() => {
        answered();
        if (this.#subscriptions.get(key) === subscription) this.#subscriptions.delete(key);
      });
  }

  async #subscribe(
    message: Extract<ClientMessage, { type: 'subscribe' }>,
    subscription: Subscription,
  ): Promise<void> {
    // After a restart of the server all clients subscribe at once.
    await yieldToEventLoop();
    if (subscription.signal.aborted) return;
    const topic = topicOf(message);
    const refusal = await this.#refusalOf(message, message.project_id);
    if (refusal) {
      await this.#send({ type: 'refused', topic, code: refusal });
      return;
    }
    if (message.topic === 'project') {
      await this.#followProject(topic, message.project_id, subscription);
    } else await this.#followTask(topic, message, subscription);
  }

  /** Sends the changes of a project until the subscription ends. */
  async #followProject(
    topic: Topic,
    projectId: number,
    { signal, answered }: Subscription,
  ): Promise<void> {
    let turn: Promise<unknown> = Promise.resolve();
    const end = this.#sources.feeds.follow(projectId, {
      tell: (message, text) => {
        turn = turn
          .then(yieldToEventLoop)
          .then(() => !signal.aborted && this.#sendIfAllowed(topic, message, text))
          .catch(() => this.close(1011));
      },
      failed: () => this.close(1011),
    });
    const isAllowed = await this.#sendIfAllowed(topic, { type: 'subscribed', topic });
    answered();
    if (isAllowed) await untilAborted(signal);
    end();
  }

  /** Sends a log from the client's cursor on, and the end when the task has ended. */
  async #followTask(
    topic: Topic,
    { project_id, task_id, after }: { project_id: number; task_id: number; after: number },
    { signal, answered }: Subscription,
  ): Promise<void> {
    const { hub, hasTask, logOf } = this.#sources;
    if (!(await hasTask(project_id, task_id))) {
      await this.#send({ type: 'refused', topic, code: 'task.not_found' });
      return;
    }
    if (!(await this.#sendIfAllowed(topic, { type: 'subscribed', topic }))) return;
    answered();
    const endPartials = this.#followPartials(topic, { project_id, task_id }, signal);
    signal.addEventListener('abort', endPartials, { once: true });
    const batches = followLog(logOf(task_id), hub, { taskId: task_id, after, signal });
    for (;;) {
      const next = await batches.next();
      // Thousands may follow this log.
      await yieldToEventLoop();
      if (signal.aborted) return;
      const shared = { project_id, task_id };
      const message: ServerMessage = next.done
        ? { type: 'log_end', ...shared, total: next.value }
        : { type: 'lines', ...shared, ...next.value };
      const text = message.type === 'lines' ? textOfLines(message) : JSON.stringify(message);
      if (!(await this.#sendIfAllowed(topic, message, text)) || next.done) {
        endPartials();
        await batches.return(0);
        return;
      }
    }
  }

  /** Sends the newest line without an end whenever the client has read the one before. */
  #followPartials(
    topic: Topic,
    shared: { project_id: number; task_id: number },
    signal: AbortSignal,
  ): () => void {
    let newest: Partial | null = null;
    let isSending = false;
    const send = async (): Promise<void> => {
      isSending = true;
      while (newest) {
        await yieldToEventLoop();
        if (signal.aborted) break;
        const message: ServerMessage = { type: 'partial', ...shared, ...newest };
        newest = null;
        if (!(await this.#sendIfAllowed(topic, message))) break;
      }
      isSending = false;
    };
    return this.#sources.partials.follow(shared.task_id, (partial) => {
      newest = partial;
      if (!isSending) void send().catch(() => this.close(1011));
    });
  }

  async #sendPlain(projectId: number, { messages, texts }: Batch): Promise<void> {
    await yieldToEventLoop();
    if (await this.#refusalOf(messages[0], projectId)) return;
    // A plain client cannot resume, so the server does not wait for it: it is closed when too much waits.
    for (const text of texts) this.#write(text);
    if (this.#socket.bufferedAmount > this.#sources.limits.waiting) this.close(closeCodes.tooSlow);
  }

  /**
   * Why the client may not send or receive this message, by the permission that the message declares;
   * null when it may. Checked for each message, since access may have ended meanwhile.
   */
  async #refusalOf(
    message: ClientMessage | ServerMessage,
    projectId: number,
  ): Promise<ErrorCode | null> {
    const permission = permissionOf(message);
    if (permission === 'connected') return null;
    const refusal = await this.#rights.refusalOf(this.#holder, permission, projectId);
    if (refusal === null || isOfProject(refusal)) return refusal;
    this.close(closeCodes.signedOut);
    return 'session.required';
  }

  async #sendIfAllowed(
    topic: Topic,
    message: ServerMessage,
    text?: string | Buffer,
  ): Promise<boolean> {
    const refusal = await this.#refusalOf(message, topic.project_id);
    if (!refusal) return this.#send(message, text);
    this.#write(JSON.stringify({ type: 'refused', topic, code: refusal } satisfies ServerMessage));
    this.#subscriptions.get(keyOf(topic))?.abort();
    return false;
  }

  #write(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text);
  }

  /** Waits until the client has read enough, and closes a client that does not within the limit. */
  async #send(
    message: ServerMessage,
    text: string | Buffer = JSON.stringify(message),
  ): Promise<boolean> {
    const { waiting, readMs } = this.#sources.limits;
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return false;
    const written = new Promise<boolean>((resolve) => {
      socket.send(text, { binary: false }, (error) => resolve(!error));
    });
    if (socket.bufferedAmount <= waiting) return true;
    const enough = new AbortController();
    const tooSlow = delay(readMs, false, { signal: enough.signal }).catch(() => false);
    const isWritten = await Promise.race([written, tooSlow]);
    enough.abort();
    if (!isWritten) this.close(closeCodes.tooSlow);
    return isWritten;
  }
}

/** The texts of lines that several clients get, as they are sent, while one of them needs it. */
const texts = new WeakMap<LogLine[], Buffer>();

function textOfLines(message: Extract<ServerMessage, { type: 'lines' }>): Buffer {
  const text = texts.get(message.lines) ?? Buffer.from(JSON.stringify(message));
  texts.set(message.lines, text);
  return text;
}

const isOfProject = (code: ErrorCode): boolean =>
  code === 'project.not_found' || code === 'permission.denied';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function topicOf(message: ClientMessage): Topic {
  return message.topic === 'project'
    ? { topic: 'project', project_id: message.project_id }
    : { topic: 'task_log', project_id: message.project_id, task_id: message.task_id };
}

function keyOf(topic: Topic): string {
  return topic.topic === 'project'
    ? `project ${topic.project_id}`
    : `log ${topic.project_id} ${topic.task_id}`;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Many connections may end at the same moment, each with many subscriptions. */
async function abortInTurn(subscriptions: AbortController[]): Promise<void> {
  for (const subscription of subscriptions) {
    await yieldToEventLoop();
    subscription.abort();
  }
}
