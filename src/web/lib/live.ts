// The one websocket of the page. It is open while something is subscribed, and reconnects 2 s after
// it was lost. The server limits the connections of a user: a tab that is refused asks hidden tabs
// to close their connections; a hidden tab connects again when it is shown.
//
// Subscriptions are stored here and sent again after a reconnect. A subscription to a log sends
// again the number of its last line, so that no line is shown twice or missed.

import { users } from '#shared/api/users.ts';
import {
  type ClientMessage,
  closeCodes,
  type ServerMessage,
  type Topic,
} from '#shared/api/live.ts';
import { call } from './api.ts';

const reconnectDelay = 2000;
// Milliseconds until the next attempt: after hidden tabs were asked to close their connections, and
// while the server still refuses one.
const roomDelay = 1000;
const CONNECTION_LIMIT_RETRY_MS = 30_000;

/** Asks hidden tabs to close their connections. */
const REQUEST_CONNECTION_SLOT = 'room';

/** `limit-reached`: the user already has as many connections as the server allows. */
type LiveState = 'connected' | 'lost' | 'limit-reached';

interface Subscription {
  topic: Topic;
  /** The number of the last loaded line; called for each new connection. */
  after?: (() => number) | undefined;
  onMessage?: ((message: ServerMessage) => void) | undefined;
}

type Listener = (message: ServerMessage) => void;

class Live {
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #subscriptions = new Set<Subscription>();
  #listeners = new Set<() => void>();
  #state: LiveState = 'connected';
  #refusals = 0;
  /** Whether this hidden tab has closed its connection for another tab. */
  #isSuspended = false;
  #tabs: BroadcastChannel | undefined;
  #waiting = new Map<() => void, Topic>();

  onMessage: Listener = () => {};

  subscribe(subscription: Subscription): () => void {
    this.#subscriptions.add(subscription);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ask(subscription);
    else if (!this.#socket && !this.#timer && !this.#isSuspended) this.#connect();
    return () => this.#unsubscribe(subscription);
  }

  /** Resolves when the server confirms a subscription to `topic`, or after `longestWaitMs`. */
  answered(topic: Topic, longestWaitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        resolve();
      };
      this.#waiting.set(done, topic);
      setTimeout(done, longestWaitMs);
    });
  }

  /** For `useSyncExternalStore`. */
  watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  state = (): LiveState => this.#state;

  isLost = (): boolean => this.#state !== 'connected';

  #connect(): void {
    this.#timer = undefined;
    this.#listenToOtherTabs();
    const socket = new WebSocket(new URL('/api/ws', location.href.replace(/^http/, 'ws')));
    this.#socket = socket;
    socket.addEventListener('open', () => this.#opened());
    socket.addEventListener('message', ({ data }) => this.#received(data));
    socket.addEventListener('close', ({ code }) => this.#closed(socket, code));
  }

  #opened(): void {
    for (const subscription of this.#subscriptions) this.#ask(subscription);
    // Only after the handshake does the server refuse one connection too many.
    if (this.#state === 'lost') this.#setState('connected');
  }

  #closed(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    if (this.#subscriptions.size === 0) return;
    if (code === closeCodes.tooMany) {
      this.#askForRoom();
      return;
    }
    this.#setState('lost');
    const scheduleReconnect = () => this.#scheduleReconnect(reconnectDelay);
    // The session may have ended. This request waits for the next sign-in.
    if (code === closeCodes.signedOut)
      void call(users.current).then(scheduleReconnect, scheduleReconnect);
    else scheduleReconnect();
  }

  #scheduleReconnect(delay: number): void {
    if (this.#subscriptions.size === 0) return;
    this.#timer ??= setTimeout(() => this.#connect(), delay);
  }

  #askForRoom(): void {
    this.#refusals += 1;
    if (this.#refusals > 1) this.#setState('limit-reached');
    this.#tabs?.postMessage(REQUEST_CONNECTION_SLOT);
    // Polls everything that the websocket would announce.
    for (const { topic } of this.#subscriptions) this.onMessage({ type: 'subscribed', topic });
    this.#scheduleReconnect(this.#refusals > 1 ? CONNECTION_LIMIT_RETRY_MS : roomDelay);
  }

  #listenToOtherTabs(): void {
    if (this.#tabs) return;
    this.#tabs = new BroadcastChannel('signalbox-live');
    this.#tabs.addEventListener('message', ({ data }) => {
      if (data === REQUEST_CONNECTION_SLOT && document.hidden) this.#suspend();
    });
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#resume();
    });
  }

  #suspend(): void {
    if (!this.#socket) return;
    this.#isSuspended = true;
    this.#socket.close();
    this.#socket = undefined;
  }

  #resume(): void {
    if (!this.#isSuspended && this.#state !== 'limit-reached') return;
    this.#isSuspended = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#socket && this.#subscriptions.size > 0) this.#connect();
  }

  #received(data: unknown): void {
    // Not validated, as the responses of the API; unknown messages of a newer server are ignored.
    const message = JSON.parse(String(data)) as ServerMessage;
    this.#refusals = 0;
    this.#setState('connected');
    this.onMessage(message);
    if (message.type === 'subscribed' || message.type === 'refused') this.#answer(message.topic);
    for (const { topic, onMessage } of this.#subscriptions) {
      if (onMessage && isAbout(message, topic)) onMessage(message);
    }
  }

  #answer(answered: Topic | undefined): void {
    if (!answered) return;
    for (const [done, topic] of this.#waiting) if (isSame(topic, answered)) done();
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
    this.#setState('connected');
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
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
