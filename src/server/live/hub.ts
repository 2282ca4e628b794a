// Tells listeners that something in the database has changed. A hint, never the truth:
// rows are written first, and whoever is told reads them.

import type { ChangedNoun } from '#shared/live.ts';
import type { Db } from '../db/open.ts';

export interface HubMessages {
  /** Lines `from` to `total` of a log have been stored. */
  log: { projectId: number; taskId: number; from: number; total: number };
  /** A task was created or its row has changed. */
  task: { projectId: number; taskId: number };
  /** Something of a noun was created, changed or deleted. */
  changed: { projectId: number; noun: ChangedNoun };
  /** A task waits, or a slot has become free. */
  queue: object;
  /** A runner without the database has been given a task. */
  given: { runnerId: number };
  /** An alert waits to be sent. */
  alerts: object;
  /** A person wants a task to stop. */
  stop: { taskId: number; force: boolean };
  /** Messages of other servers may have been missed: whoever heeds any looks for itself. */
  missed: object;
}
export type HubTopic = keyof HubMessages;

export type Hint = { [Topic in HubTopic]: [Topic, HubMessages[Topic]] }[HubTopic];

export interface Hub {
  publish: (...hint: Hint) => void;
  /**
   * Tells other servers with the end of this transaction, or not at all; answers what tells this
   * one when it has ended well.
   */
  publishWith: (db: Db, hints: Hint[]) => Promise<() => void>;
  /** Answers the function that ends the subscription. */
  subscribe: <Topic extends HubTopic>(
    topic: Topic,
    listener: (message: HubMessages[Topic]) => void,
  ) => () => void;
  close: () => Promise<void>;
}

type Listener = (message: never) => void;

/** The hub of a server that is alone. */
export function createHub(): Hub {
  const listeners = new Map<HubTopic, Set<Listener>>();
  const publish: Hub['publish'] = (topic, message) => {
    for (const listener of listeners.get(topic) ?? []) {
      (listener as (value: typeof message) => void)(message);
    }
  };
  return {
    publish,
    publishWith: (_db, hints) =>
      Promise.resolve(() => {
        for (const hint of hints) publish(...hint);
      }),
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set<Listener>();
      listeners.set(topic, set.add(listener));
      return () => set.delete(listener);
    },
    close: () => Promise.resolve(),
  };
}
