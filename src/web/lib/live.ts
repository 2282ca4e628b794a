// The one websocket. It is open while something is subscribed, and comes back 2 s after a drop.
//
// Subscriptions are kept here and sent again after a reconnect; one that follows a log says
// anew after which line to go on, so that no line is shown twice or missed.

import { users } from '#shared/api/users.ts';
import {
  type ClientMessage,
  closeCodes,
  serverMessage,
  type ServerMessage,
  type Topic,
} from '#shared/live.ts';
import { call } from './api.ts';

const reconnectDelay = 2000;

interface Subscription {
  topic: Topic;
  /** The last line that is held already; asked anew for each connection. */
  after?: (() => number) | undefined;
  onMessage?: ((message: ServerMessage) => void) | undefined;
}

type Listener = (message: ServerMessage) => void;

class Live {
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #subscriptions = new Set<Subscription>();
  #listeners = new Set<() => void>();
  #lost = false;

  /** Every message, for the query cache. */
  onMessage: Listener = () => {};

  subscribe(subscription: Subscription): () => void {
    this.#subscriptions.add(subscription);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ask(subscription);
    else if (!this.#socket && !this.#timer) this.#connect();
    return () => this.#unsubscribe(subscription);
  }

  /** For `useSyncExternalStore`. */
  watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isLost = (): boolean => this.#lost;

  #connect(): void {
    this.#timer = undefined;
    const socket = new WebSocket(new URL('/api/ws', location.href.replace(/^http/, 'ws')));
    this.#socket = socket;
    socket.addEventListener('open', () => this.#opened());
    socket.addEventListener('message', ({ data }) => this.#received(data));
    socket.addEventListener('close', ({ code }) => this.#closed(socket, code));
  }

  #opened(): void {
    for (const subscription of this.#subscriptions) this.#ask(subscription);
    this.#setLost(false);
  }

  #closed(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    if (this.#subscriptions.size === 0) return;
    this.#setLost(true);
    const comeBack = () => this.#comeBack();
    // There may be another session by now; if not, the question waits until there is one.
    if (code === closeCodes.signedOut) void call(users.current).then(comeBack, comeBack);
    else comeBack();
  }

  #comeBack(): void {
    if (this.#subscriptions.size === 0) return;
    this.#timer ??= setTimeout(() => this.#connect(), reconnectDelay);
  }

  #received(data: unknown): void {
    const parsed = serverMessage.safeParse(JSON.parse(String(data)));
    // A newer server may send what this page does not know yet.
    if (!parsed.success) return;
    const message = parsed.data;
    this.onMessage(message);
    for (const { topic, onMessage } of this.#subscriptions) {
      if (onMessage && isAbout(message, topic)) onMessage(message);
    }
  }

  #ask({ topic, after }: Subscription): void {
    this.#send(
      topic.topic === 'task_log'
        ? { type: 'subscribe', ...topic, after: after?.() ?? 0 }
        : { type: 'subscribe', ...topic },
    );
  }

  #unsubscribe(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    const { topic } = subscription;
    const shared = [...this.#subscriptions].some((other) => isSame(other.topic, topic));
    if (!shared) this.#send({ type: 'unsubscribe', ...topic });
    if (this.#subscriptions.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#socket?.close();
    this.#socket = undefined;
    this.#setLost(false);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #setLost(lost: boolean): void {
    if (this.#lost === lost) return;
    this.#lost = lost;
    for (const listener of this.#listeners) listener();
  }
}

const isSame = (one: Topic, other: Topic): boolean =>
  one.topic === other.topic &&
  one.project_id === other.project_id &&
  (one.topic === 'project' || other.topic === 'project' || one.task_id === other.task_id);

function isAbout(message: ServerMessage, topic: Topic): boolean {
  if (topic.topic === 'project') return false;
  if (message.type === 'subscribed' || message.type === 'refused') {
    return message.topic !== undefined && isSame(message.topic, topic);
  }
  return 'task_id' in message && message.task_id === topic.task_id;
}

export const live = new Live();
