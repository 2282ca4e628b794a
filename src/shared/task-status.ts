// The statuses of a task and the allowed changes between them.

const moves = {
  waiting: ['starting', 'waiting_confirmation', 'stopped', 'error'],
  starting: ['running', 'waiting_confirmation', 'stopping', 'stopped', 'error'],
  waiting_confirmation: ['confirmed', 'stopping', 'stopped', 'error'],
  confirmed: ['running', 'stopping', 'stopped', 'error'],
  running: ['waiting_confirmation', 'stopping', 'stopped', 'success', 'error'],
  stopping: ['stopped'],
  success: [],
  error: [],
  stopped: [],
} as const satisfies Record<string, readonly string[]>;

export type TaskStatus = keyof typeof moves;
export const taskStatuses = Object.keys(moves) as [TaskStatus, ...TaskStatus[]];

const allowed: Record<TaskStatus, readonly TaskStatus[]> = moves;

const statuses: readonly string[] = taskStatuses;

/** Later versions may have further statuses. */
export const isTaskStatus = (text: string): text is TaskStatus => statuses.includes(text);

export function canMove(from: TaskStatus, to: TaskStatus): boolean {
  return allowed[from].includes(to);
}

export function sourcesOf(to: TaskStatus): TaskStatus[] {
  return taskStatuses.filter((from) => canMove(from, to));
}

/** A finished task never changes. An unknown status counts as unfinished. */
export function isFinished(status: TaskStatus): boolean {
  return isTaskStatus(status) && allowed[status].length === 0;
}

export const finishedStatuses = taskStatuses.filter(isFinished);
export const unfinishedStatuses = taskStatuses.filter((status) => !isFinished(status));

/** The filter of lists of tasks. */
export const taskStates = ['unfinished', 'finished'] as const;
export type TaskState = (typeof taskStates)[number];
export const statusesOf = (state: TaskState): TaskStatus[] =>
  state === 'finished' ? finishedStatuses : unfinishedStatuses;

/** The statuses of unfinished tasks that are not in the queue. */
export const activeStatuses = unfinishedStatuses.filter((status) => status !== 'waiting');

/** The statuses in which a task occupies a slot of a runner. */
export const runningStatuses = ['starting', 'running', 'stopping'] as const satisfies TaskStatus[];

/** Whether a task ran on no host, as a success or a failure. */
export const isWithoutHosts = ({ failure }: { failure?: { code: string } | null }): boolean =>
  failure?.code === 'failure.no_hosts';
