// The hub publishes events: signals that something in the database has changed. Rows are written first, and
// subscribers read them. Only inspections of states and their results are not stored.

import type { ChangedNoun } from '#shared/api/live.ts';
import type { Inspection, InspectionResult } from '#shared/api/runner-api.ts';
import type { Db } from '../db/open.ts';

/** An inspection of the Terraform states that a runner keeps. */
export type StateInspection = Extract<Inspection, { kind: 'states' | 'take_state' }>;

interface HubEvents {
  /** Lines `from` to `total` of a log have been stored. */
  'log.appended': { projectId: number; taskId: number; from: number; total: number };
  /** The unfinished last line of a log, after `after` whole lines; it is not stored. */
  'log.partial-line': { projectId: number; taskId: number; after: number; output: string };
  'task.changed': { projectId: number; taskId: number };
  'resource.changed': { projectId: number; noun: ChangedNoun };
  /** A task was queued, or a slot has become free. */
  'queue.changed': object;
  /** A new task, or a request to clear caches; null: the runner beside an embedded database. */
  'task.assigned': { runnerId: number | null };
  /** The server that has the connection of the runner forwards it. */
  'inspection.requested': {
    inspectionId: number;
    runnerId: number | null;
    inspection: StateInspection;
  };
  'inspection.completed': { inspectionId: number; runnerId: number | null; seen: InspectionResult };
  /** A follow-up of the end of a task was stored. */
  'follow-up.added': object;
  /** An alert was queued. */
  'alert.added': object;
  /** The rights of a user have changed: role, session, token or account. Null: those of any user may have. */
  'permission.changed': { userId: number | null };
  'task.stop-requested': { taskId: number; force: boolean };
  /** Events of other servers may have been lost; all subscribers read again. */
  'hub.events-missed': object;
}
export type HubEventName = keyof HubEvents;

export type HubEvent = { [Topic in HubEventName]: [Topic, HubEvents[Topic]] }[HubEventName];

export interface Hub {
  publish: (...event: HubEvent) => void;
  /** Notifies other servers on commit; returns the function that publishes locally, to call after it. */
  publishWith: (db: Db, events: HubEvent[]) => Promise<() => void>;
  /** Returns the function that unsubscribes. With `task`, only events about this task are delivered. */
  subscribe: <Topic extends HubEventName>(
    topic: Topic,
    listener: (message: HubEvents[Topic]) => void,
    task?: number,
  ) => () => void;
  close: () => Promise<void>;
}

type Listener = (message: never) => void;

type ListenerKey = HubEventName | `${HubEventName} ${number}`;

const listenerKey = (topic: HubEventName, task: number | undefined): ListenerKey =>
  task === undefined ? topic : `${topic} ${task}`;

/** The in-process hub. */
export function createHub(): Hub {
  const listeners = new Map<ListenerKey, Set<Listener>>();
  const publish: Hub['publish'] = (topic, message) => {
    const notify = (key: ListenerKey): void => {
      for (const listener of listeners.get(key) ?? []) {
        (listener as (value: typeof message) => void)(message);
      }
    };
    notify(topic);
    if ('taskId' in message) notify(listenerKey(topic, message.taskId));
  };
  return {
    publish,
    publishWith: (_db, events) =>
      Promise.resolve(() => {
        for (const event of events) publish(...event);
      }),
    subscribe(topic, listener, task) {
      const key = listenerKey(topic, task);
      const set = listeners.get(key) ?? new Set<Listener>();
      listeners.set(key, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key);
      };
    },
    close: () => Promise.resolve(),
  };
}
