// One connection of the websocket: plain until it subscribes to something.

import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Task } from '#shared/api/tasks.ts';
import {
  clientMessage,
  closeCodes,
  permissionOf,
  type ClientMessage,
  type ServerMessage,
  type Topic,
} from '#shared/live.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { AppError } from '../errors.ts';
import type { Broadcast } from '../live/broadcast.ts';
import { followLog, type LogSource } from '../live/follow.ts';
import type { Hub } from '../live/hub.ts';
import type { Log } from '../log.ts';
import { checkProject, type Actor, type Gate } from './actor.ts';
import type { Credentials } from './credentials.ts';

export type LiveActor = Pick<Actor, 'userId' | 'admin' | 'token'>;

export interface LiveSources extends Pick<Gate, 'roleIn'> {
  hub: Hub;
  log: Log;
  broadcast: Broadcast;
  /** Who sends the credentials; null when their session or token has ended. */
  authenticate: (credentials: Credentials) => Promise<LiveActor | null>;
  task: (projectId: number, taskId: number) => Promise<Task | null>;
  logOf: (taskId: number) => LogSource;
  /** Bytes that may wait for a client, and milliseconds that it may take to read them. */
  limits: { waiting: number; patience: number };
}

export class LiveClient {
  readonly #socket: WebSocket;
  readonly #credentials: Credentials;
  readonly #sources: LiveSources;
  readonly #subscriptions = new Map<string, AbortController>();
  #endPlain: (() => void) | null;

  constructor(socket: WebSocket, credentials: Credentials, sources: LiveSources) {
    this.#socket = socket;
    this.#credentials = credentials;
    this.#sources = sources;
    this.#endPlain = sources.broadcast.add((projectId, messages) =>
      this.#sendPlain(projectId, messages),
    );
    socket.on('message', (data) => this.#receive(String(data as Buffer)));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#end());
  }

  close(code: number): void {
    this.#socket.close(code);
    this.#end();
  }

  #end(): void {
    this.#endPlain?.();
    this.#endPlain = null;
    for (const subscription of this.#subscriptions.values()) subscription.abort();
    this.#subscriptions.clear();
  }

  #receive(text: string): void {
    const message = clientMessage.safeParse(parseJson(text));
    // Clients of the older API may send anything; it never meant anything.
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
    this.#subscribe(message.data, subscription.signal)
      .catch((error: unknown) => {
        this.#sources.log.error({ err: error }, 'a subscription failed');
        this.close(1011);
      })
      .finally(() => {
        if (this.#subscriptions.get(key) === subscription) this.#subscriptions.delete(key);
      });
  }

  async #subscribe(
    message: Extract<ClientMessage, { type: 'subscribe' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const topic = topicOf(message);
    const refusal = await this.#refusalOf(message, message.project_id);
    if (refusal) {
      await this.#send({ type: 'refused', topic, code: refusal });
      return;
    }
    if (message.topic === 'project') await this.#followProject(topic, message.project_id, signal);
    else await this.#followTask(topic, message, signal);
  }

  /** Sends the changes of a project until the subscription ends. */
  async #followProject(topic: Topic, projectId: number, signal: AbortSignal): Promise<void> {
    const { hub } = this.#sources;
    // One after the other: an older state of a task must not overtake a newer one.
    let turn: Promise<unknown> = Promise.resolve();
    const inTurn = (message: () => Promise<ServerMessage | null>): void => {
      turn = turn
        .then(async () => {
          const next = signal.aborted ? null : await message();
          if (next) await this.#sendIfAllowed(topic, next);
        })
        .catch(() => this.close(1011));
    };
    const ends = [
      hub.subscribe('task', (hint) => {
        if (hint.projectId !== projectId) return;
        inTurn(async () => {
          const task = await this.#sources.task(projectId, hint.taskId);
          return task && { type: 'task', project_id: projectId, task };
        });
      }),
      hub.subscribe('changed', (hint) => {
        if (hint.projectId !== projectId) return;
        inTurn(() => Promise.resolve({ type: 'changed', project_id: projectId, noun: hint.noun }));
      }),
    ];
    if (await this.#sendIfAllowed(topic, { type: 'subscribed', topic })) await untilAborted(signal);
    for (const end of ends) end();
  }

  /** Sends a log from the client's cursor on, and the end when the task has ended. */
  async #followTask(
    topic: Topic,
    { project_id, task_id, after }: { project_id: number; task_id: number; after: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { hub, task, logOf } = this.#sources;
    if (!(await task(project_id, task_id))) {
      await this.#send({ type: 'refused', topic, code: 'task.not_found' });
      return;
    }
    if (!(await this.#sendIfAllowed(topic, { type: 'subscribed', topic }))) return;
    const batches = followLog(logOf(task_id), hub, { taskId: task_id, after, signal });
    for (;;) {
      const next = await batches.next();
      if (signal.aborted) return;
      const shared = { project_id, task_id };
      const message: ServerMessage = next.done
        ? { type: 'log_end', ...shared, total: next.value }
        : { type: 'lines', ...shared, ...next.value };
      if (!(await this.#sendIfAllowed(topic, message)) || next.done) {
        await batches.return(0);
        return;
      }
    }
  }

  async #sendPlain(projectId: number, messages: ServerMessage[]): Promise<void> {
    for (const one of oneOfEach(messages)) {
      if (await this.#refusalOf(one, projectId)) return;
    }
    // Nobody waits for a plain client: too much at once and it is cut off.
    for (const message of messages) this.#write(message);
    if (this.#socket.bufferedAmount > this.#sources.limits.waiting) this.close(closeCodes.tooSlow);
  }

  /**
   * Why the client may not send this message, or be sent it; null: it may. By what the message
   * declares, and asked anew for each: access may have been taken away meanwhile.
   */
  async #refusalOf(
    message: ClientMessage | ServerMessage,
    projectId: number,
  ): Promise<ErrorCode | null> {
    const permission = permissionOf(message);
    if (permission === 'connected') return null;
    try {
      const actor = await this.#sources.authenticate(this.#credentials);
      if (actor) {
        await checkProject(this.#sources, actor, permission, projectId);
        return null;
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (isOfProject(error.code)) return error.code;
      // A session that has to set up a second factor by now sees nothing either.
    }
    this.close(closeCodes.signedOut);
    return 'session.required';
  }

  async #sendIfAllowed(topic: Topic, message: ServerMessage): Promise<boolean> {
    const refusal = await this.#refusalOf(message, topic.project_id);
    if (!refusal) return this.#send(message);
    this.#write({ type: 'refused', topic, code: refusal });
    this.#subscriptions.get(keyOf(topic))?.abort();
    return false;
  }

  #write(message: ServerMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Waits until the client has read enough; one that does not is closed. */
  async #send(message: ServerMessage): Promise<boolean> {
    const { waiting, patience } = this.#sources.limits;
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return false;
    const written = new Promise<boolean>((resolve) => {
      socket.send(JSON.stringify(message), (error) => resolve(!error));
    });
    if (socket.bufferedAmount <= waiting) return true;
    const enough = new AbortController();
    const tooSlow = delay(patience, false, { signal: enough.signal }).catch(() => false);
    const isWritten = await Promise.race([written, tooSlow]);
    enough.abort();
    if (!isWritten) this.close(closeCodes.tooSlow);
    return isWritten;
  }
}

const isOfProject = (code: ErrorCode): boolean =>
  code === 'project.not_found' || code === 'permission.denied';

/** A message of each kind: many of one kind need one look. */
const oneOfEach = (messages: ServerMessage[]): Iterable<ServerMessage> =>
  new Map(messages.map((message) => [message.type, message])).values();

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
