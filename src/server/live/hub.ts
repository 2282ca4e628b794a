// The hub carries hints: messages that something in the database has changed. Rows are written first,
// and the receiver of a hint reads them. Only looks at states and their answers are stored nowhere.

import type { ChangedNoun } from '#shared/api/live.ts';
import type { Look, Seen } from '#shared/api/runner-api.ts';
import type { Db } from '../db/open.ts';

/** A look at the states of Terraform that a runner keeps. */
export type StateLook = Extract<Look, { kind: 'states' | 'take_state' }>;

interface HubMessages {
  /** Lines `from` to `total` of a log have been stored. */
  log: { projectId: number; taskId: number; from: number; total: number };
  /** The last line of a log before its end, after so many whole lines; it is not stored. */
  partial: { projectId: number; taskId: number; after: number; output: string };
  /** A task was created or its row has changed. */
  task: { projectId: number; taskId: number };
  /** Something of a noun was created, changed or deleted. */
  changed: { projectId: number; noun: ChangedNoun };
  /** A task waits, or a slot has become free. */
  queue: object;
  /** A runner has a new task, or is to clear its caches; null: the runner beside a server with the embedded database. */
  given: { runnerId: number | null };
  /** A runner is to execute a look; whichever server has its connection passes it on. */
  look: { lookId: number; runnerId: number | null; look: StateLook };
  /** A runner has answered such a look. */
  looked: { lookId: number; runnerId: number | null; seen: Seen };
  /** Something that follows from the end of a task waits to be done. */
  followUps: object;
  /** An alert waits to be sent. */
  alerts: object;
  /**
   * The rights of a user have changed: a role, a session, a token or the account itself. Null when the
   * rights of any user may have changed.
   */
  rights: { userId: number | null };
  /** Somebody wants to stop a task. */
  stop: { taskId: number; force: boolean };
  /** Hints of other servers may have been missed, so every listener reads again. */
  missed: object;
}
export type HubTopic = keyof HubMessages;

export type Hint = { [Topic in HubTopic]: [Topic, HubMessages[Topic]] }[HubTopic];

export interface Hub {
  publish: (...hint: Hint) => void;
  /**
   * Sends hints to other servers when this transaction commits. Answers the function that sends them
   * within this server, which the caller calls after the commit.
   */
  publishWith: (db: Db, hints: Hint[]) => Promise<() => void>;
  /**
   * Subscribes to a topic; answers the function that ends the subscription. With `task`, only hints
   * about this task are delivered, so subscribers for other tasks cost nothing.
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

/** The key of the listeners of a topic, or of a topic about one task. */
const placeOf = (topic: HubTopic, task: number | undefined): Place =>
  task === undefined ? topic : `${topic} ${task}`;

/** The hub within one process. */
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
