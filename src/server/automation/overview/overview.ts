// Tasks, search results and pinned templates across all projects of a user.

import {
  type SearchResults,
  MAX_OVERVIEW_PROJECTS,
  MAX_OVERVIEW_TASKS,
  MAX_SEARCH_RESULTS,
  overviewDays,
  type OverviewOfProjects,
  type OverviewOfTasks,
  overviewStripDays,
  type Pin,
} from '#shared/api/overview.ts';
import { unfinishedStatuses } from '#shared/task-status.ts';
import { requireTemplate } from '../templates/templates.ts';
import type { Context } from '../../context/context.ts';
import { getDays } from '../../stats/stats.ts';
import { confirmUntil } from '../tasks/confirmation.ts';
import {
  findByIds,
  findHosts,
  findTasks,
  findTemplates,
  insertPin,
  listFailed,
  listPins,
  listProjects,
  listUnfinished,
  type PinKey,
  type Reach,
  removePin,
} from './overview.store.ts';
import { listWaitingTasks } from './waiting-tasks.store.ts';

const MAX_SEARCHED_TASKS = 5000;
interface Caller {
  userId: number;
  admin: boolean;
  token: { projectId: number | null } | null;
}

const reachOf = ({ userId, admin, token }: Caller): Reach => ({
  userId,
  admin,
  projectId: token?.projectId ?? null,
});

const dayMs = 24 * 60 * 60 * 1000;
const limit = MAX_OVERVIEW_TASKS;
const toConfirm = 'waiting_confirmation';
const begun = unfinishedStatuses.filter((status) => status !== toConfirm && status !== 'waiting');

/** The tasks of all projects of a user, or of one of them. */
export async function getTasksOfAll(
  ctx: Context,
  caller: Caller,
  { project_id: only }: { project_id?: number | undefined },
): Promise<OverviewOfTasks> {
  const { db, clock } = ctx;
  const reach = { ...reachOf(caller), only };
  const since = new Date(clock.now().getTime() - overviewDays * dayMs).toISOString();
  const [confirm, running, waiting, failed] = await Promise.all([
    listWaitingTasks(db, reach, limit),
    listUnfinished(db, reach, { statuses: begun, limit }),
    listUnfinished(db, reach, { statuses: ['waiting'], limit }),
    listFailed(db, reach, { since, limit }),
  ]);
  const to_confirm = confirm.map((task) => ({ ...task, confirm_until: confirmUntil(ctx, task) }));
  return { to_confirm, active: [...running, ...waiting].slice(0, limit), failed };
}

export async function getProjectsOfAll(
  ctx: Context,
  caller: Caller,
  { time_zone: timeZone }: { time_zone: string },
): Promise<OverviewOfProjects> {
  const reach = reachOf(caller);
  const { rows, total } = await listProjects(ctx.db, reach, MAX_OVERVIEW_PROJECTS);
  const ids = rows.map(({ id }) => id);
  const lastIds = rows.flatMap(({ last_task_id: id }) => id ?? []);
  const [daysOf, tasks] = await Promise.all([
    getDays(ctx, ids, { time_zone: timeZone, days: overviewStripDays }),
    findByIds(ctx.db, reach, lastIds),
  ]);
  const taskOf = new Map(tasks.map((task) => [task.project_id, task]));
  const projects = rows.map(({ id, name, active, to_confirm }) => ({
    project_id: id,
    name,
    active,
    to_confirm,
    last_task: taskOf.get(id) ?? null,
    days: daysOf.get(id) ?? [],
  }));
  return { projects, total };
}

export function getPins({ db }: Context, caller: Caller): Promise<Pin[]> {
  return listPins(db, reachOf(caller));
}

export async function searchAll(
  { db }: Context,
  caller: Caller,
  { q = '' }: { q?: string | undefined },
): Promise<SearchResults> {
  if (!q) return { templates: [], tasks: [], hosts: [] };
  const reach = reachOf(caller);
  const number = /^#?([1-9]\d{0,14})$/.exec(q)?.[1];
  const [templates, numbered, tasks, hosts] = await Promise.all([
    findTemplates(db, reach, { q, limit: MAX_SEARCH_RESULTS.templates }),
    number === undefined ? [] : findByIds(db, reach, [Number(number)]),
    findTasks(db, reach, { q, among: MAX_SEARCHED_TASKS, limit: MAX_SEARCH_RESULTS.tasks }),
    findHosts(db, reach, { q, limit: MAX_SEARCH_RESULTS.hosts }),
  ]);
  const others = tasks.filter(({ id }) => id !== numbered[0]?.id);
  return {
    templates,
    tasks: [...numbered, ...others].slice(0, MAX_SEARCH_RESULTS.tasks),
    hosts,
  };
}

export async function pinTemplate(ctx: Context, key: PinKey): Promise<void> {
  await requireTemplate(ctx, key.projectId, key.templateId);
  await insertPin(ctx.db, key);
}

export async function unpinTemplate(ctx: Context, key: PinKey): Promise<void> {
  await requireTemplate(ctx, key.projectId, key.templateId);
  await removePin(ctx.db, key);
}
