import { fileUrl } from '#shared/git/file-url.ts';
import {
  type PlayTask,
  type PlayTasks,
  resultCountNames,
  type ResultState,
  type ResultTimes,
  type RunHost,
  type RunResults,
  type ShownFailure,
} from '#shared/api/run-results.ts';
import type { TaskSection } from '#shared/api/runner-api.ts';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import type { Context } from '../../context/context.ts';
import { hasRepository, statusHostOf } from '../../resources/repositories/repositories.ts';
import { csvLine } from '../../lib/csv.ts';
import { MAX_SECTIONS } from './log/log-outline.ts';
import { listRunSections } from './log/sections.store.ts';
import { countInventoryHosts, findLaunchedWith } from './rows/launched-with.store.ts';
import { findRow, toPlainRow } from './rows/tasks.store.ts';
import { findExpectedTasks } from './runs/progress.store.ts';
import { requireTask } from './tasks.ts';
import { confirmUntil } from './confirmation.ts';
import { countHosts, findFailures, listHosts } from './results/task-hosts.store.ts';
import { readResults } from './results/result-chunks.store.ts';
import { readResultTimes } from './results/result-times.ts';

interface RunRef {
  projectId: number;
  taskId: number;
}

export async function getHosts(
  ctx: Context,
  projectId: number,
  taskId: number,
): Promise<RunHost[]> {
  const { id } = await requireTask(ctx, projectId, taskId);
  return listHosts(ctx.db, id);
}

/** A task with the results of its run. */
export async function getWholeTask(
  ctx: Context,
  projectId: number,
  taskId: number,
): Promise<WholeTask> {
  const task = await requireTask(ctx, projectId, taskId);
  const counts = await countHosts(ctx.db, task.id);
  return {
    ...task,
    confirm_until: confirmUntil(ctx, task),
    ...(await findLaunchedWith(ctx.db, task.id, ctx.by.scope ?? null)),
    inventory_hosts:
      task.status === 'waiting_confirmation' ? await countInventoryHosts(ctx.db, task.id) : null,
    expected_tasks: isFinished(task.status) ? null : await findExpectedTasks(ctx.db, task),
    host_counts: counts,
    failures: counts ? await failuresOf(ctx, task) : [],
  };
}

const tableCounts = [
  ...(['ok', 'changed', 'failed', 'unreachable'] as const),
  ...(['skipped', 'rescued', 'ignored'] as const),
];
const tableTimes = ['begin', 'end', 'duration_ms'] as const;
const tableFailure = ['state', 'task', 'message', 'line'] as const;

/** The results of all hosts as CSV. */
export async function hostTable(ctx: Context, projectId: number, taskId: number): Promise<string> {
  const hosts = await getHosts(ctx, projectId, taskId);
  const failureNames = tableFailure.map((name) => `failure_${name}`);
  const lines = hosts.map(({ first_failure: failure, ...host }) =>
    csvLine([
      host.host,
      ...tableCounts.map((name) => host[name]),
      ...tableTimes.map((name) => host[name]),
      ...tableFailure.map((name) => failure?.[name] ?? null),
    ]),
  );
  return [csvLine(['host', ...tableCounts, ...tableTimes, ...failureNames]), ...lines].join('');
}

export async function getPlayTasks(
  ctx: Context,
  { projectId, taskId }: RunRef,
): Promise<PlayTasks> {
  const task = await requireTask(ctx, projectId, taskId);
  const sections = await listRunSections(ctx.db, task.id);
  const toUrl = await urlsOf(ctx, task);
  return {
    tasks: group(sections).map((one) => ({ ...one, file_url: toUrl(one) })),
    is_complete: sections.length < MAX_SECTIONS,
  };
}

/** Joins the sections of a task: a strategy without common steps shows a task several times. */
function group(sections: TaskSection[]): Omit<PlayTask, 'file_url'>[] {
  const tasks = new Map<number, Omit<PlayTask, 'file_url'>>();
  let play = '';
  for (const section of sections) {
    if (section.kind === 'play') play = section.name;
    if (section.kind !== 'task' && section.kind !== 'handler') continue;
    const { first, number, kind, ...rest } = section;
    const known = tasks.get(first);
    if (!known) {
      const own = { section: first, sections: [number], duration_ms: duration(rest) };
      tasks.set(first, { ...rest, ...own, kind, play });
      continue;
    }
    known.sections.push(number);
    for (const name of resultCountNames) known[name] += section[name];
    known.begin = earlier(known.begin, section.begin);
    known.end = later(known.end, section.end);
    known.duration_ms = duration(known);
  }
  return [...tasks.values()];
}

const duration = ({ begin, end }: { begin: string | null; end: string | null }): number =>
  begin === null || end === null ? 0 : Math.max(0, Date.parse(end) - Date.parse(begin));

const earlier = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;

const later = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;

interface ResultFilter {
  host?: string | undefined;
  section?: number | undefined;
  state?: ResultState | undefined;
  from_line?: number | undefined;
  to_line?: number | undefined;
  from: number;
  limit: number;
}

export async function getResults(
  ctx: Context,
  { projectId, taskId }: RunRef,
  { section, from_line: fromLine, to_line: toLine, ...asked }: ResultFilter,
): Promise<RunResults> {
  const { id } = await requireTask(ctx, projectId, taskId);
  const lines =
    fromLine === undefined && toLine === undefined
      ? undefined
      : { from: fromLine ?? 1, to: toLine ?? Number.POSITIVE_INFINITY };
  if (section === undefined && !lines) return readResults(ctx.db, id, asked);
  const all = await listRunSections(ctx.db, id);
  const own = (lines ? sectionsIn(all, lines) : all)
    .filter(({ first }) => section === undefined || first === section)
    .map(({ number }) => number);
  if (own.length === 0) return { results: [], next: null };
  return readResults(ctx.db, id, { ...asked, lines, sections: new Set(own) });
}

/** The sections of which lines are in this part of the log; a section ends where the next begins. */
const sectionsIn = (all: TaskSection[], { from, to }: { from: number; to: number }) =>
  all.filter(
    ({ line }, index) => line <= to && (all[index + 1]?.line ?? Number.POSITIVE_INFINITY) >= from,
  );

export async function getTimeline(
  ctx: Context,
  { projectId, taskId }: RunRef,
  range: { from: number; limit: number },
): Promise<ResultTimes> {
  const { id } = await requireTask(ctx, projectId, taskId);
  return readResultTimes(ctx.db, id, range);
}

export async function getFailures(
  ctx: Context,
  { projectId, taskId }: RunRef,
): Promise<ShownFailure[]> {
  return failuresOf(ctx, await requireTask(ctx, projectId, taskId));
}

async function failuresOf(ctx: Context, task: Task): Promise<ShownFailure[]> {
  const failures = await findFailures(ctx.db, task.id);
  if (failures.length === 0) return [];
  const toUrl = await urlsOf(ctx, task);
  return failures.map((one) => ({ ...one, file_url: toUrl(one) }));
}

interface InFile {
  path: string | null;
  file_line: number | null;
}

/** Returns a function that builds the URL of a file at the git host of the task's repository. */
async function urlsOf(ctx: Context, task: Task): Promise<(place: InFile) => string | null> {
  const row = await findRow(ctx.db, task.id);
  if (!row) return () => null;
  const { repository } = toPlainRow(row).snapshot;
  if (ctx.by.scope && !(await hasRepository(ctx.db, task.project_id, repository.id))) {
    return () => null;
  }
  const host = await statusHostOf(ctx, task.project_id, repository.id);
  const { commit_hash: hash } = task;
  return ({ path, file_line: line }) =>
    hash === null || path === null ? null : fileUrl(repository.git_url, host, { hash, path, line });
}
