// The hub publishes events: messages that something in the database has changed. Rows are written first,
// and subscribers read them when they receive the event. Only inspections of states and their results are
// stored nowhere.

import type { ChangedNoun } from '#shared/api/live.ts';
import type { Inspection, InspectionResult } from '#shared/api/runner-api.ts';
import type { Db } from '../db/open.ts';

/** An inspection at the states of Terraform that a runner keeps. */
export type StateInspection = Extract<Inspection, { kind: 'states' | 'take_state' }>;

interface HubEvents {
  /** Lines `from` to `total` of a log have been stored. */
  'log.appended': { projectId: number; taskId: number; from: number; total: number };
  /** The last line of a log before its end, after so many whole lines; it is not stored. */
  'log.partial-line': { projectId: number; taskId: number; after: number; output: string };
  /** A task was created or its row has changed. */
  'task.changed': { projectId: number; taskId: number };
  /** Something of a noun was created, changed or deleted. */
  'resource.changed': { projectId: number; noun: ChangedNoun };
  /** A task waits, or a slot has become free. */
  'queue.changed': object;
  /** A runner has a new task, or is to clear its caches; null: the runner beside a server with the embedded database. */
  'task.assigned': { runnerId: number | null };
  /** A runner is to execute an inspection; whichever server has its connection passes it on. */
  'inspection.requested': {
    inspectionId: number;
    runnerId: number | null;
    inspection: StateInspection;
  };
  /** A runner has answered such an inspection. */
  'inspection.completed': { inspectionId: number; runnerId: number | null; seen: InspectionResult };
  /** Something that follows from the end of a task waits to be done. */
  'follow-up.added': object;
  /** An alert waits to be sent. */
  'alert.added': object;
  /**
   * The rights of a user have changed: a role, a session, a token or the account itself. Null when the
   * rights of any user may have changed.
   */
  'permission.changed': { userId: number | null };
  /** Somebody wants to stop a task. */
  'task.stop-requested': { taskId: number; force: boolean };
  /** Hints of other servers may have been missed, so every listener reads again. */
  'hub.events-missed': object;
}
export type HubEventName = keyof HubEvents;

export type HubEvent = { [Topic in HubEventName]: [Topic, HubEvents[Topic]] }[HubEventName];

export interface Hub {
  publish: (...event: HubEvent) => void;
  /**
   * Sends hub events to other servers when this transaction commits. Returns the function that sends them
   * within this server, which the caller calls after the commit.
   */
  publishWith: (db: Db, events: HubEvent[]) => Promise<() => void>;
  /**
   * Subscribes to a topic; returns the function that ends the subscription. With `task`, only hub events
   * about this task are delivered, so subscribers for other tasks cost nothing.
   */
  subscribe: <Topic extends HubEventName>(
    topic: Topic,
    listener: (message: HubEvents[Topic]) => void,
    task?: number,
  ) => () => void;
  close: () => Promise<void>;
}

type Listener = (message: never) => void;

type ListenerKey = HubEventName | `${HubEventName} ${number}`;

/** The key of the listeners of a topic, or of a topic about one task. */
const listenerKey = (topic: HubEventName, task: number | undefined): ListenerKey =>
  task === undefined ? topic : `${topic} ${task}`;

/** The hub within one process. */
export function createHub(): Hub {
  const listeners = new Map<ListenerKey, Set<Listener>>();
  const publish: Hub['publish'] = (topic, message) => {
    const tell = (place: ListenerKey): void => {
      for (const listener of listeners.get(place) ?? []) {
        (listener as (value: typeof message) => void)(message);
      }
    };
    tell(topic);
    if ('taskId' in message) tell(listenerKey(topic, message.taskId));
  };
  return {
    publish,
    publishWith: (_db, events) =>
      Promise.resolve(() => {
        for (const event of events) publish(...event);
      }),
    subscribe(topic, listener, task) {
      const place = listenerKey(topic, task);
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
