// What websockets read of tasks and their logs.

import type { Task } from '#shared/api/tasks.ts';
import { liveWidth } from '#shared/api/live.ts';
import type { Context } from '../../context/context.ts';
import { scoped, type Scope } from '../../db/rights/scope.ts';
import { newestLinesOf } from './log/newest-lines.ts';
import { readLines } from './log/task-log.store.ts';
import { findProgress, findTemplateId } from './rows/tasks.store.ts';
import { getTask } from './tasks.ts';

// The most characters of log lines in one message.
const MAX_MESSAGE = 1024 * 1024;

export function openLiveSource(ctx: Context) {
  const newest = newestLinesOf(ctx.hub);
  return {
    task: (projectId: number, id: number) => getTask(ctx, projectId, id),
    taskInScope: (scope: Scope, projectId: number, id: number): Promise<Task | null> =>
      getTask({ ...ctx, db: scoped(ctx.db, scope) }, projectId, id),
    templateOf: (projectId: number, id: number) => findTemplateId(ctx.db, projectId, id),
    progress: (id: number) => findProgress(ctx.db, id),
    read: (id: number, from: number, limit: number) => {
      const range = { from, limit, width: liveWidth, size: MAX_MESSAGE };
      return readLines(ctx.db, id, range, newest.linesFrom(id, from));
    },
  };
}
