// One websocket connection. Until its first subscription it receives the messages of the older API.

import { once } from 'node:events';
import type { WebSocket } from 'ws';
import {
  clientMessage,
  closeCodes,
  permissionOf,
  updateOf,
  type ClientMessage,
  type ServerMessage,
  type Topic,
} from '#shared/api/live.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import type { Scope } from '../db/rights/scope.ts';
import type { Batch, Broadcast, Projects } from '../live/broadcast.ts';
import type { Feeds } from '../live/feeds.ts';
import { followLog, type LogSource } from '../live/follow.ts';
import type { Hub } from '../live/hub.ts';
import type { Partial, Partials } from '../live/partials.ts';
import { createReadPace } from '../live/read-pace.ts';
import { yieldToEventLoop } from '../lib/fair-queue.ts';
import type { Log } from '../../node/log/log.ts';
import { unlessAborted } from '../../node/net/connections.ts';
import {
  abortInTurn,
  isOfProject,
  keyOf,
  parseJson,
  textOfLines,
  topicOf,
} from './live-messages.ts';
import type { Holder, LiveActor, LiveRights, RightsSources } from './live-rights.ts';

export interface LiveSources extends RightsSources {
  hub: Hub;
  log: Log;
  broadcast: Broadcast;
  feeds: Feeds;
  partials: Partials;
  projectsOf: (actor: LiveActor) => Promise<Projects>;
  /** The task as somebody sees it who does not see all of the project; null: not at all. */
  taskInScope: (scope: Scope, projectId: number, taskId: number) => Promise<Task | null>;
  /** The template of a task; null: there is no such task. */
  templateOf: (projectId: number, taskId: number) => Promise<number | null>;
  logOf: (taskId: number) => LogSource;
  /** Backpressure: the bytes that may be buffered, and the milliseconds to drain them. */
  limits: { waiting: number; readMs: number };
}

interface Subscription {
  signal: AbortSignal;
  /** Called with the first reply. */
  answered: () => void;
}

export class LiveClient {
  readonly #socket: WebSocket;
  readonly #holder: Holder;
  readonly #sources: LiveSources;
  readonly #rights: LiveRights;
  readonly #subscriptions = new Map<string, AbortController>();
  readonly #beginReply: ReturnType<typeof createReadPace>;
  #endPlain: (() => void) | null;

  constructor(
    socket: WebSocket,
    { sources, rights }: { sources: LiveSources; rights: LiveRights },
    holder: Holder,
    projects: Projects,
  ) {
    this.#socket = socket;
    this.#beginReply = createReadPace(socket);
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

  /** Closes the connection if its session or token has ended. */
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
    // The older API ignores other texts too.
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
    const answered = this.#beginReply();
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
    // All clients subscribe at once after a restart.
    await yieldToEventLoop();
    if (subscription.signal.aborted) return;
    const topic = topicOf(message);
    const templateId =
      message.topic === 'project'
        ? null
        : await this.#sources.templateOf(message.project_id, message.task_id);
    const about = { projectId: message.project_id, templateId };
    const refusal = await this.#refusalOf(message, about);
    if (refusal) {
      await this.#send({ type: 'refused', topic, code: refusal });
      return;
    }
    if (message.topic === 'project') {
      await this.#followProject(topic, message.project_id, subscription);
    } else await this.#followTask(topic, { ...message, templateId }, subscription);
  }

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
          .then(() => (signal.aborted ? undefined : this.#tell(topic, message, text)))
          .catch(() => this.close(1011));
      },
      failed: () => this.close(1011),
    });
    const isAllowed = await this.#sendIfAllowed(topic, { type: 'subscribed', topic });
    answered();
    if (isAllowed && !signal.aborted) await once(signal, 'abort');
    end();
  }

  /** Sends a message of a project, as far as the client may see what it is about. */
  async #tell(topic: Topic, message: ServerMessage, text: string): Promise<void> {
    const scope = message.type === 'task' ? await this.#scopeIn(message.project_id) : null;
    if (!scope || message.type !== 'task') {
      await this.#sendIfAllowed(topic, message, { text });
      return;
    }
    const { project_id: projectId, task } = message;
    const seen = await this.#sources.taskInScope(scope, projectId, task.id);
    if (seen) await this.#sendIfAllowed(topic, { ...message, task: seen });
  }

  /** Null: the client sees all of the project, or nothing of it. */
  async #scopeIn(projectId: number): Promise<Scope | null> {
    const access = await this.#rights.accessOf(this.#holder, projectId).catch(() => null);
    return access?.scope ?? null;
  }

  /** Sends the lines after the client's cursor, and the end of the log. */
  async #followTask(
    topic: Topic,
    {
      project_id,
      task_id,
      after,
      templateId,
    }: { project_id: number; task_id: number; after: number; templateId: number | null },
    { signal, answered }: Subscription,
  ): Promise<void> {
    const { hub, logOf } = this.#sources;
    if (templateId === null) {
      await this.#send({ type: 'refused', topic, code: 'task.not_found' });
      return;
    }
    if (!(await this.#sendIfAllowed(topic, { type: 'subscribed', topic }, { templateId }))) return;
    answered();
    const shared = { project_id, task_id };
    const endPartials = this.#followPartials(topic, { shared, templateId }, signal);
    signal.addEventListener('abort', endPartials, { once: true });
    const batches = followLog(logOf(task_id), hub, { taskId: task_id, after, signal });
    for (;;) {
      const next = await batches.next();
      // Many clients may follow the same log.
      await yieldToEventLoop();
      if (signal.aborted) return;
      const message: ServerMessage = next.done
        ? { type: 'log_end', ...shared, total: next.value }
        : { type: 'lines', ...shared, ...next.value };
      const text = message.type === 'lines' ? textOfLines(message) : JSON.stringify(message);
      const isSent = await this.#sendIfAllowed(topic, message, { text, templateId });
      if (!isSent || next.done) {
        endPartials();
        await batches.return(0);
        return;
      }
    }
  }

  /** Sends the newest partial line each time the client has received the previous one. */
  #followPartials(
    topic: Topic,
    { shared, templateId }: { shared: { project_id: number; task_id: number }; templateId: number },
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
        if (!(await this.#sendIfAllowed(topic, message, { templateId }))) break;
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
    const [first] = messages;
    const templateId = 'template_id' in first ? first.template_id : null;
    if (await this.#refusalOf(first, { projectId, templateId })) return;
    const scope = first.type === 'update' ? await this.#scopeIn(projectId) : null;
    // A plain client cannot resume, so it is disconnected when its buffer is full.
    for (const text of scope ? await this.#updatesIn(scope, projectId, messages) : texts) {
      this.#write(text);
    }
    if (this.#socket.bufferedAmount > this.#sources.limits.waiting) this.close(closeCodes.tooSlow);
  }

  async #updatesIn(scope: Scope, projectId: number, messages: ServerMessage[]): Promise<string[]> {
    const updates: string[] = [];
    for (const message of messages) {
      if (message.type !== 'update') continue;
      const task = await this.#sources.taskInScope(scope, projectId, message.task_id);
      if (task) updates.push(JSON.stringify(updateOf(task)));
    }
    return updates;
  }

  /** The refusal code; null when allowed. Checked for each message, because access may be revoked. */
  async #refusalOf(
    message: ClientMessage | ServerMessage,
    about: { projectId: number; templateId: number | null },
  ): Promise<ErrorCode | null> {
    const permission = permissionOf(message);
    if (permission === 'connected') return null;
    const refusal = await this.#rights.refusalOf(this.#holder, permission, about);
    if (refusal === null || isOfProject(refusal)) return refusal;
    this.close(closeCodes.signedOut);
    return 'session.required';
  }

  async #sendIfAllowed(
    topic: Topic,
    message: ServerMessage,
    { text, templateId = null }: { text?: string | Buffer; templateId?: number | null } = {},
  ): Promise<boolean> {
    const refusal = await this.#refusalOf(message, { projectId: topic.project_id, templateId });
    if (!refusal) return this.#send(message, text);
    this.#write(JSON.stringify({ type: 'refused', topic, code: refusal } satisfies ServerMessage));
    this.#subscriptions.get(keyOf(topic))?.abort();
    return false;
  }

  #write(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text);
  }

  /** Waits until the buffer has drained, and disconnects a client that exceeds the limit. */
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
    const limit = AbortSignal.timeout(readMs);
    const isWritten = await unlessAborted(limit, written).catch(() => false);
    if (!isWritten) this.close(closeCodes.tooSlow);
    return isWritten;
  }
}
