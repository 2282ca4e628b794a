// Tells listeners that something in the database has changed. A hint, never the truth:
// rows are written first, and whoever is told reads them.

import type { ChangedNoun } from '#shared/api/live.ts';
import type { Db } from '../db/open.ts';

interface HubMessages {
  /** Lines `from` to `total` of a log have been stored. */
  log: { projectId: number; taskId: number; from: number; total: number };
  /** A task was created or its row has changed. */
  task: { projectId: number; taskId: number };
  /** Something of a noun was created, changed or deleted. */
  changed: { projectId: number; noun: ChangedNoun };
  /** A task waits, or a slot has become free. */
  queue: object;
  /** A runner has been given a task. Null: the one beside the server with the embedded database. */
  given: { runnerId: number | null };
  /** An alert waits to be sent. */
  alerts: object;
  /**
   * What a user may see has changed, or who they are: a role, a session, a token, the account
   * itself. Null: that of anybody may have.
   */
  rights: { userId: number | null };
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
  /**
   * Answers the function that ends the subscription. `task`: only what is about this task, so that
   * many who wait for others cost nothing.
   */
  subscribe: <Topic extends HubTopic>(
    topic: Topic,
    listener: (message: HubMessages[Topic]) => void,
    task?: number,
  ) => () => void;
  close: () => Promise<void>;
}

type Listener = (message: never) => void;

type Place = HubTopic | `${HubTopic} ${number}`;

/** Where those are who listen to a topic, or to what it says of one task. */
const placeOf = (topic: HubTopic, task: number | undefined): Place =>
  task === undefined ? topic : `${topic} ${task}`;

/** The hub of a server that is alone. */
export function createHub(): Hub {
  const listeners = new Map<Place, Set<Listener>>();
  const publish: Hub['publish'] = (topic, message) => {
    const tell = (place: Place): void => {
      for (const listener of listeners.get(place) ?? []) {
        (listener as (value: typeof message) => void)(message);
      }
    };
    tell(topic);
    if ('taskId' in message) tell(placeOf(topic, message.taskId));
  };
  return {
    publish,
    publishWith: (_db, hints) =>
      Promise.resolve(() => {
        for (const hint of hints) publish(...hint);
      }),
    subscribe(topic, listener, task) {
      const place = placeOf(topic, task);
      const set = listeners.get(place) ?? new Set<Listener>();
      listeners.set(place, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(place) === set) listeners.delete(place);
      };
    },
    close: () => Promise.resolve(),
  };
}
