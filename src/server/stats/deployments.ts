// The boards of deploy templates: which build each of them has deployed.

import {
  type DeployBoard,
  type DeployTarget,
  MAX_DEPLOY_TASKS,
  MAX_DEPLOY_TEMPLATES,
} from '#shared/api/deployments.ts';
import type { Context } from '../context/context.ts';
import {
  type BuildRow,
  type DeployTemplate,
  listBuilds,
  listDeployTemplates,
  listNewestTasks,
  type NewestTask,
} from './deployments.store.ts';
import { listNames } from './stats.store.ts';

// A deploy template may deploy what another one has deployed.
const MAX_CHAIN = 10;
// Of a board, beside those that are deployed now.
const MAX_BUILDS = 8;

export async function getDeployments(
  { db }: Context,
  projectId: number,
  { build_template_id: asked }: { build_template_id?: number | undefined },
): Promise<{ boards: DeployBoard[] }> {
  const deploys = await listDeployTemplates(db, projectId, MAX_DEPLOY_TEMPLATES);
  const groups = Map.groupBy(deploys, (template) => rootOf(template, deploys));
  const roots = [...groups.keys()].filter((id) => asked === undefined || id === asked);
  if (roots.length === 0) return { boards: [] };
  const targets = roots.flatMap((id) => groups.get(id) ?? []);
  const [names, tasks] = await Promise.all([
    listNames(db, projectId, roots),
    listNewestTasks(db, projectId, {
      templateIds: [...roots, ...targets.map(({ id }) => id)],
      limit: MAX_DEPLOY_TASKS,
    }),
  ]);
  const byTemplate = Map.groupBy(tasks, ({ template_id: id }) => id);
  const tasksOf = (id: number): NewestTask[] => byTemplate.get(id) ?? [];
  const builds = await readBuilds((ids) => listBuilds(db, projectId, ids), tasks);
  const boards = roots.map((id) => {
    const rows = (groups.get(id) ?? []).map((one) => toTarget(one, tasksOf(one.id), builds));
    const shown = buildsOf(rows, tasksOf(id), builds);
    const shownIds = new Set(shown.map(({ task_id }) => task_id));
    return {
      template_id: id,
      name: names.get(id) ?? '',
      builds: shown,
      targets: rows.map((row) => ({
        ...row,
        attempts: row.attempts.filter(({ build_task_id: build }) => shownIds.has(build)),
      })),
    };
  });
  return { boards: boards.toSorted((a, b) => a.name.localeCompare(b.name)) };
}

/** The id of the template whose builds a template deploys, also through other deploys. */
function rootOf({ build_template_id: first }: DeployTemplate, deploys: DeployTemplate[]): number {
  let root = first;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const next = deploys.find(({ id }) => id === root);
    if (!next) break;
    root = next.build_template_id;
  }
  return root;
}

/** The build of each task that is the build of a deploy, by id: the first task of its chain. */
async function readBuilds(
  read: (ids: number[]) => Promise<BuildRow[]>,
  tasks: NewestTask[],
): Promise<Map<number, BuildRow>> {
  const known = new Map<number, BuildRow>();
  let missing = tasks.flatMap(({ build_task_id: id }) => id ?? []);
  for (let step = 0; step < MAX_CHAIN && missing.length > 0; step += 1) {
    const rows = await read([...new Set(missing)]);
    for (const row of rows) known.set(row.id, row);
    missing = rows.flatMap(({ build_task_id: id }) => (id !== null && !known.has(id) ? id : []));
  }
  return new Map(
    [...known.keys()].flatMap((id) => {
      const build = firstOf(id, known);
      return build ? [[id, build]] : [];
    }),
  );
}

function firstOf(id: number, known: Map<number, BuildRow>): BuildRow | undefined {
  let row = known.get(id);
  for (let step = 0; step < MAX_CHAIN && row && row.build_task_id !== null; step += 1) {
    row = known.get(row.build_task_id);
  }
  return row;
}

/** `tasks`: of the template, the newest first. */
function toTarget(
  { id, name, environment }: DeployTemplate,
  tasks: NewestTask[],
  builds: Map<number, BuildRow>,
): DeployTarget {
  const deploys = tasks.flatMap((task) => {
    const build = builds.get(task.build_task_id ?? 0);
    return build ? [{ ...task, build: build.id }] : [];
  });
  const attempts = [...Map.groupBy(deploys, ({ build }) => build)].flatMap(([build, [newest]]) =>
    newest
      ? {
          build_task_id: build,
          task_id: newest.id,
          status: newest.status,
          created: newest.created,
          end: newest.end,
        }
      : [],
  );
  return { template_id: id, name, environment, current: currentOf(deploys), attempts };
}

function currentOf(deploys: (NewestTask & { build: number })[]): DeployTarget['current'] {
  const successes = deploys.filter(({ status }) => status === 'success');
  const [newest] = successes;
  if (!newest) return null;
  const other = successes.findIndex(({ build }) => build !== newest.build);
  const first = successes.at(other === -1 ? -1 : other - 1) ?? newest;
  return {
    build_task_id: newest.build,
    task_id: newest.id,
    since: first.end ?? first.created,
    user_name: newest.user_name,
    launcher: newest.launcher,
  };
}

/**
 * The newest builds among the successful ones and those that the targets have tried to deploy,
 * and all that are deployed now; the newest first.
 */
function buildsOf(
  targets: DeployTarget[],
  tasks: NewestTask[],
  builds: Map<number, BuildRow>,
): DeployBoard['builds'] {
  const found = new Map<number, Pick<BuildRow, 'id' | 'version' | 'end'>>();
  for (const task of tasks) if (task.status === 'success') found.set(task.id, task);
  for (const { build_task_id: id } of targets.flatMap(({ attempts }) => attempts)) {
    const build = builds.get(id);
    if (build) found.set(id, build);
  }
  const deployed = new Set(targets.map(({ current }) => current?.build_task_id));
  return [...found.values()]
    .toSorted((a, b) => b.id - a.id)
    .filter(({ id }, index) => index < MAX_BUILDS || deployed.has(id))
    .map(({ id, version, end }) => ({ task_id: id, version, end }));
}
