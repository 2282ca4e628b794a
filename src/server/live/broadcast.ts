// What clients of the older API get without asking: `update` for every change of a task, `log`
// for every line, of all their projects, from the moment they connect. They are found by the
// project of a change: those who may see nothing of it cost nothing.

import type { LogLine } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { ServerMessage } from '#shared/api/live.ts';
import type { Hub } from './hub.ts';

export interface BroadcastSource {
  task: (projectId: number, taskId: number) => Promise<Task | null>;
  /** May answer fewer lines than asked for. */
  lines: (taskId: number, from: number, limit: number) => Promise<LogLine[]>;
}

/** Messages of one kind, as they are and as they are sent. */
export interface Batch {
  messages: [ServerMessage, ...ServerMessage[]];
  texts: string[];
}

/** The projects that somebody may see, by their ids; null: all. */
export type Projects = readonly number[] | null;

/** One client; it decides again whether it may see the project, and whether it keeps up. */
export interface Receiver {
  userId: number;
  projects: () => Promise<Projects>;
  send: (projectId: number, batch: Batch) => Promise<void>;
}

export interface Broadcast {
  /** `projects`: those of now. Answers the function that ends the delivery. */
  add: (receiver: Receiver, projects: Projects) => () => void;
  close: () => void;
}

export function createBroadcast(hub: Hub, source: BroadcastSource): Broadcast {
  const audience = new Audience();
  // One after the other, so that every client gets them in their order.
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
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
    hub.subscribe('task', ({ projectId, taskId }) => {
      inTurn(async () => {
        if (audience.of(projectId).length === 0) return;
        const task = await source.task(projectId, taskId);
        if (task) await send(projectId, [toUpdate(task)]);
      });
    }),
    hub.subscribe('log', ({ projectId, taskId, from, total }) => {
      inTurn(async () => {
        if (audience.of(projectId).length === 0) return;
        for (let next = from; next <= total;) {
          const lines = await source.lines(taskId, next, total - next + 1);
          if (lines.length === 0) return;
          const messages = lines.map((line) => toLog(projectId, taskId, line));
          await send(projectId, messages);
          next += lines.length;
        }
      });
    }),
    // In turn too: what happens in a project from now on reaches a new member of it.
    hub.subscribe('rights', ({ userId }) => {
      if (userId !== null) inTurn(() => audience.placeAgain(userId));
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

/** The receivers, by the projects that they may see. */
class Audience {
  readonly #places = new Map<Receiver, Projects>();
  /** Those of a project; null: of all projects. */
  readonly #receivers = new Map<number | null, Set<Receiver>>();
  readonly #users = new Map<number, Set<Receiver>>();

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  of(projectId: number): Receiver[] {
    return [...(this.#receivers.get(projectId) ?? []), ...(this.#receivers.get(null) ?? [])];
  }

  place(receiver: Receiver, projects: Projects): void {
    this.remove(receiver);
    this.#places.set(receiver, projects);
    for (const projectId of projects ?? [null]) put(this.#receivers, projectId, receiver);
    put(this.#users, receiver.userId, receiver);
  }

  remove(receiver: Receiver): void {
    const projects = this.#places.get(receiver);
    if (projects === undefined) return;
    this.#places.delete(receiver);
    for (const projectId of projects ?? [null]) take(this.#receivers, projectId, receiver);
    take(this.#users, receiver.userId, receiver);
  }

  async placeAgain(userId: number): Promise<void> {
    for (const receiver of Array.from(this.#users.get(userId) ?? [])) {
      const projects = await receiver.projects();
      // It may have gone meanwhile.
      if (this.#places.has(receiver)) this.place(receiver, projects);
    }
  }
}

function put<Key>(sets: Map<Key, Set<Receiver>>, key: Key, receiver: Receiver): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(receiver));
}

function take<Key>(sets: Map<Key, Set<Receiver>>, key: Key, receiver: Receiver): void {
  const set = sets.get(key);
  set?.delete(receiver);
  if (set?.size === 0) sets.delete(key);
}

const toUpdate = (task: Task): ServerMessage => ({
  type: 'update',
  project_id: task.project_id,
  template_id: task.template_id,
  task_id: task.id,
  status: task.status,
  start: task.start,
  end: task.end,
  version: task.version,
});

const toLog = (
  projectId: number,
  taskId: number,
  { output, time, cut }: LogLine,
): ServerMessage => ({
  type: 'log',
  project_id: projectId,
  task_id: taskId,
  output: cut === undefined ? output : `${output}…`,
  time,
});
