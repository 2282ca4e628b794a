// Tells listeners that something in the database has changed. A hint, never the truth:
// rows are written first, and whoever is told reads them.

import type { ChangedNoun } from '#shared/live.ts';

export interface HubMessages {
  /** Lines `from` to `total` of a log have been stored. */
  log: { projectId: number; taskId: number; from: number; total: number };
  /** A task was created or its row has changed. */
  task: { projectId: number; taskId: number };
  /** Something of a noun was created, changed or deleted. */
  changed: { projectId: number; noun: ChangedNoun };
  /** A task waits, or a slot has become free. */
  queue: object;
  /** An alert waits to be sent. */
  alerts: object;
  /** A person wants a task to stop. */
  stop: { taskId: number; force: boolean };
}
export type HubTopic = keyof HubMessages;

export interface Hub {
  publish: <Topic extends HubTopic>(topic: Topic, message: HubMessages[Topic]) => void;
  /** Answers the function that ends the subscription. */
  subscribe: <Topic extends HubTopic>(
    topic: Topic,
    listener: (message: HubMessages[Topic]) => void,
  ) => () => void;
}

type Listener = (message: never) => void;

/** The hub of a server that is alone. */
export function createHub(): Hub {
  const listeners = new Map<HubTopic, Set<Listener>>();
  return {
    publish(topic, message) {
      for (const listener of listeners.get(topic) ?? []) {
        (listener as (value: typeof message) => void)(message);
      }
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set<Listener>();
      listeners.set(topic, set.add(listener));
      return () => set.delete(listener);
    },
  };
}
