// What clients of the older API get without asking: `update` for every change of a task, `log`
// for every line, of all their projects, from the moment they connect.

import type { LogLine } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { ServerMessage } from '#shared/live.ts';
import type { Hub } from './hub.ts';

export interface BroadcastSource {
  task: (projectId: number, taskId: number) => Promise<Task | null>;
  /** May answer fewer lines than asked for. */
  lines: (taskId: number, from: number, limit: number) => Promise<LogLine[]>;
}

/** Sends to one client; it decides whether it may see the project and whether it keeps up. */
export type Receiver = (projectId: number, messages: ServerMessage[]) => Promise<void>;

export interface Broadcast {
  /** Answers the function that ends the delivery. */
  add: (receiver: Receiver) => () => void;
  close: () => void;
}

export function createBroadcast(hub: Hub, source: BroadcastSource): Broadcast {
  const receivers = new Set<Receiver>();
  // One after the other, so that every client gets them in their order.
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
    if (receivers.size === 0) return;
    turn = turn.then(work).catch(() => undefined);
  };
  const send = async (projectId: number, messages: ServerMessage[]): Promise<void> => {
    await Promise.all([...receivers].map((receiver) => receiver(projectId, messages)));
  };
  const ends = [
    hub.subscribe('task', ({ projectId, taskId }) => {
      inTurn(async () => {
        const task = await source.task(projectId, taskId);
        if (task) await send(projectId, [toUpdate(task)]);
      });
    }),
    hub.subscribe('log', ({ projectId, taskId, from, total }) => {
      inTurn(async () => {
        for (let next = from; next <= total;) {
          const lines = await source.lines(taskId, next, total - next + 1);
          if (lines.length === 0) return;
          const messages = lines.map((line) => toLog(projectId, taskId, line));
          await send(projectId, messages);
          next += lines.length;
        }
      });
    }),
  ];
  return {
    add(receiver) {
      receivers.add(receiver);
      return () => receivers.delete(receiver);
    },
    close() {
      for (const end of ends) end();
    },
  };
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
