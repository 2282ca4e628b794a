// The results of a task for clients of later versions of the API, from the totals that our Ansible
// callback has reported, and from the log.

import type { AnsibleError, AnsibleHost, TaskStage } from '#shared/api/task-results.ts';
import type { LogSection } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import type { Db } from '../../db/open.ts';
import { createErrorReader, type FoundError } from './log/log-errors.ts';
import { findOutline } from './log/log-outlines.ts';
import { listHosts } from './results/task-hosts.store.ts';
import { chunksFrom, readLines } from './log/task-log.store.ts';
import { requireTask } from './tasks.ts';

export interface TaskRef {
  projectId: number;
  taskId: number;
  /** Fires when the client has disconnected. */
  gone: AbortSignal;
}

export async function getAnsibleHosts(
  ctx: Context,
  { projectId, taskId }: TaskRef,
): Promise<AnsibleHost[]> {
  const { id } = await requireTask(ctx, projectId, taskId);
  const hosts = await listHosts(ctx.db, id);
  return hosts.map((host, index) => ({
    id: index + 1,
    task_id: id,
    project_id: projectId,
    ...host,
  }));
}

export async function getStages(ctx: Context, which: TaskRef): Promise<TaskStage[]> {
  const { task, sections } = await readOutline(ctx, which);
  const first = sections[0]?.line;
  if (first === undefined) return [];
  const recap = sections.findLast(({ kind }) => kind === 'recap')?.line ?? null;
  const timeOf = async (line: number): Promise<string | null> => {
    const [found] = await readLines(ctx.db, task.id, { from: line, limit: 1, width: 1 });
    return found?.time ?? null;
  };
  const began = await timeOf(first);
  const recapTime = recap === null ? null : await timeOf(recap);
  const lastLine = task.end === null ? null : task.log_lines;
  const stages: Omit<TaskStage, 'id' | 'task_id' | 'result'>[] = [
    { type: 'init', start: task.start, end: began, ...linesOf(1, first - 1) },
    {
      type: 'running',
      start: began,
      end: recapTime ?? task.end,
      ...linesOf(first, recap === null ? lastLine : recap - 1),
    },
  ];
  if (recap !== null) {
    const lines = linesOf(recap, lastLine);
    stages.push({ type: 'print_result', start: recapTime, end: task.end, ...lines });
  }
  return stages.map((stage, index) => ({
    id: index + 1,
    task_id: task.id,
    ...stage,
    result: null,
  }));
}

/** The lines of a stage; null if it has printed nothing. */
const linesOf = (from: number, to: number | null) => ({
  start_output_id: to !== null && to < from ? null : from,
  end_output_id: to !== null && to < from ? null : to,
});

const MAX_ERRORS = 1000;
const MAX_LINES = 200_000;

export async function getAnsibleErrors(ctx: Context, which: TaskRef): Promise<AnsibleError[]> {
  const { task, sections } = await readOutline(ctx, which);
  const errors: (FoundError & { task: string })[] = [];
  let left = MAX_LINES;
  for (const [index, section] of sections.entries()) {
    if (section.failed === 0) continue;
    const to = (sections[index + 1]?.line ?? task.log_lines + 1) - 1;
    const found = await errorsBetween(
      ctx.db,
      task.id,
      section.line + 1,
      Math.min(to, section.line + left),
    );
    errors.push(...found.map((one) => ({ ...one, task: section.name })));
    left -= to - section.line;
    if (left <= 0 || errors.length >= MAX_ERRORS || which.gone.aborted) break;
  }
  return errors.slice(0, MAX_ERRORS).map((error, index) => ({
    id: index + 1,
    task_id: task.id,
    project_id: which.projectId,
    ...error,
  }));
}

async function readOutline(
  ctx: Context,
  { projectId, taskId, gone }: TaskRef,
): Promise<{ task: Task; sections: LogSection[] }> {
  const task = await requireTask(ctx, projectId, taskId);
  const { sections } = await findOutline(ctx.db, task, { from: 1, gone });
  return { task, sections };
}

async function errorsBetween(
  db: Db,
  taskId: number,
  from: number,
  to: number,
): Promise<readonly FoundError[]> {
  const reader = createErrorReader();
  for await (const chunk of chunksFrom(db, taskId, from)) {
    for (const { output } of chunk.lines().slice(0, to - chunk.from + 1)) reader.read(output);
    if (chunk.from + chunk.count > to) break;
  }
  return reader.errors;
}
