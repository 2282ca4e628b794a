// Messages for clients of the older API, which do not subscribe: `update` for every change of a task and
// `log` for every line, of all their projects, from the moment when they connect. Receivers are indexed by
// project.

import type { LogLine } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import { type ServerMessage, updateOf } from '#shared/api/live.ts';
import { SetMap } from '../lib/set-map.ts';
import type { Hub } from './hub.ts';

export interface BroadcastSource {
  task: (projectId: number, taskId: number) => Promise<Task | null>;
  /** May return fewer lines than requested. */
  lines: (taskId: number, from: number, limit: number) => Promise<LogLine[]>;
}

/** Messages and their serialized texts. */
export interface Batch {
  messages: [ServerMessage, ...ServerMessage[]];
  texts: string[];
}

export type Projects = readonly number[] | null;

/** A client. `send` checks access and backpressure again. */
export interface Receiver {
  userId: number;
  projects: () => Promise<Projects>;
  send: (projectId: number, batch: Batch) => Promise<void>;
}

export interface Broadcast {
  /** Adds a client with the projects that it may see now; returns the function that removes it. */
  add: (receiver: Receiver, projects: Projects) => () => void;
  close: () => void;
}

export function createBroadcast(hub: Hub, source: BroadcastSource): Broadcast {
  const audience = new Audience();
  const templateOf = rememberTemplates(source);
  // Hub events are handled in order.
  let turn: Promise<void> = Promise.resolve();
  const enqueue = (work: () => Promise<void>): void => {
    if (audience.isEmpty) return;
    turn = turn.then(work).catch(() => undefined);
  };
  const send = async (projectId: number, messages: ServerMessage[]): Promise<void> => {
    const [first, ...others] = messages;
    if (!first) return;
    const batch: Batch = {
      messages: [first, ...others],
      texts: messages.map((message) => JSON.stringify(message)),
    };
    await Promise.all(audience.of(projectId).map((receiver) => receiver.send(projectId, batch)));
  };
  const ends = [
    hub.subscribe('task.changed', ({ projectId, taskId }) => {
      enqueue(async () => {
        if (audience.of(projectId).length === 0) return;
        const task = await source.task(projectId, taskId);
        if (task) await send(projectId, [updateOf(task)]);
      });
    }),
    hub.subscribe('log.appended', ({ projectId, taskId, from, total }) => {
      enqueue(async () => {
        if (audience.of(projectId).length === 0) return;
        const templateId = await templateOf(projectId, taskId);
        if (templateId === null) return;
        const ids = { project_id: projectId, template_id: templateId, task_id: taskId };
        for (let next = from; next <= total;) {
          const lines = await source.lines(taskId, next, total - next + 1);
          if (lines.length === 0) return;
          const messages = lines.map(({ output, time, cut }): ServerMessage => {
            const shown = cut === undefined ? output : `${output}…`;
            return { type: 'log', ...ids, output: shown, time };
          });
          await send(projectId, messages);
          next += lines.length;
        }
      });
    }),
    // In the same queue, so that a new member receives all later messages of the project.
    hub.subscribe('permission.changed', ({ userId }) => {
      if (userId !== null) enqueue(() => audience.placeAgain(userId));
    }),
  ];
  return {
    add(receiver, projects) {
      audience.place(receiver, projects);
      return () => audience.remove(receiver);
    },
    close() {
      for (const end of ends) end();
    },
  };
}

const MAX_REMEMBERED = 1000;

/** The template of a task never changes, and a task that prints causes thousands of hub events. */
function rememberTemplates({ task }: BroadcastSource) {
  const known = new Map<number, number>();
  return async (projectId: number, taskId: number): Promise<number | null> => {
    const before = known.get(taskId);
    if (before !== undefined) return before;
    const found = await task(projectId, taskId);
    if (!found) return null;
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(taskId, found.template_id);
    return found.template_id;
  };
}

/** The receivers by the projects that they may see. */
class Audience {
  readonly #places = new Map<Receiver, Projects>();
  /** The receivers of a project; null for those who see all projects. */
  readonly #receivers = new SetMap<number | null, Receiver>();
  readonly #users = new SetMap<number, Receiver>();

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  of(projectId: number): Receiver[] {
    return [...this.#receivers.of(projectId), ...this.#receivers.of(null)];
  }

  place(receiver: Receiver, projects: Projects): void {
    this.remove(receiver);
    this.#places.set(receiver, projects);
    for (const projectId of projects ?? [null]) this.#receivers.add(projectId, receiver);
    this.#users.add(receiver.userId, receiver);
  }

  remove(receiver: Receiver): void {
    const projects = this.#places.get(receiver);
    if (projects === undefined) return;
    this.#places.delete(receiver);
    for (const projectId of projects ?? [null]) this.#receivers.delete(projectId, receiver);
    this.#users.delete(receiver.userId, receiver);
  }

  async placeAgain(userId: number): Promise<void> {
    for (const receiver of this.#users.of(userId)) {
      const projects = await receiver.projects();
      // The client may have disconnected meanwhile.
      if (this.#places.has(receiver)) this.place(receiver, projects);
    }
  }
}
