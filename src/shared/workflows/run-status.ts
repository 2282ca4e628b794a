/** `idle`: not decided yet; `active`: has begun and not ended; `skipped`: will not begin. */
export const nodeStates = ['idle', 'active', 'success', 'failure', 'skipped'] as const;
export type NodeState = (typeof nodeStates)[number];

export const runStatuses = ['running', 'stopping', 'success', 'error', 'stopped'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const unfinishedRunStatuses = ['running', 'stopping'] as const satisfies RunStatus[];

export const isRunFinished = (status: RunStatus): boolean =>
  status !== 'running' && status !== 'stopping';
