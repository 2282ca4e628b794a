import { hasRight } from '../../db/rights/role-rights.ts';
import { hasRightOn } from '../../db/rights/right-on.ts';
import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import type { SearchResults, OverviewTask, Pin } from '#shared/api/overview.ts';
import type { Right } from '#shared/rights.ts';
import { type TaskStatus, unfinishedStatuses } from '#shared/task-status.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { Db } from '../../db/open.ts';
import { toPlain } from '../../db/plain-row.ts';
import { launcherColumns, type LauncherRow, splitLauncher } from '../../db/launcher.ts';
import { contains, holds } from '../../db/search.ts';
import type { Flag } from '../../db/tables/columns.ts';
import type { Tables } from '../../db/tables.ts';

/** The projects that a caller sees. */
export interface Reach {
  userId: number;
  admin: boolean;
  /** The only project of the caller's API token; null for all. */
  projectId: number | null;
  /** The only project that the caller asks for; undefined for all. */
  only?: number | undefined;
}

/** A condition on a project: the caller is a member of it, with the right. */
const isReached =
  ({ userId, admin, projectId, only }: Reach, right: Right | null = null) =>
  (eb: ExpressionBuilder<Tables, 'projects'>): Expression<SqlBool> => {
    const parts = [];
    if (projectId !== null) parts.push(eb('projects.id', '=', projectId));
    if (only !== undefined) parts.push(eb('projects.id', '=', only));
    if (!admin) {
      let own = eb.selectFrom('members').select('project_id').where('user_id', '=', userId);
      if (right) own = own.where(hasRight(right));
      parts.push(eb('projects.id', 'in', own));
    }
    return eb.and(parts);
  };

/** A condition on templates. */
export const mayOnTemplate = ({ userId, admin }: Reach, right: Right): RawBuilder<SqlBool> =>
  admin ? sql`1 = 1` : hasRightOn({ table: 'templates', user: sql`${userId}` }, right);

/** Whether the caller may run a template. */
const mayRun = (reach: Reach) =>
  sql<Flag>`case when ${mayOnTemplate(reach, 'template.run')} then 1 else 0 end`.as('may_run');

export const selectTasks = (db: Db, reach: Reach) =>
  db
    .selectFrom('projects')
    .innerJoin('tasks', 'tasks.project_id', 'projects.id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('workflow_runs', 'workflow_runs.id', 'tasks.workflow_run_id')
    .where((eb) => isReached(reach)(eb as never))
    .select([
      'tasks.id',
      'tasks.project_id',
      'projects.name as project_name',
      'tasks.template_id',
      'templates.name as template_name',
      'templates.type as template_type',
      'tasks.status',
      'tasks.dry_run',
      'tasks.message',
      'users.name as user_name',
      'tasks.created',
      'tasks.start',
      'tasks.end',
    ])
    .select(launcherColumns);

type TaskRow = Omit<OverviewTask, 'dry_run' | 'launcher'> & LauncherRow & { dry_run: 0 | 1 };

const shown = (rows: TaskRow[]): OverviewTask[] =>
  rows.map((row) => splitLauncher(toPlain<TaskRow>({ dry_run: 'flag' }, row), row.template_name));

/** The oldest tasks of these statuses. */
export async function listUnfinished(
  db: Db,
  reach: Reach,
  { statuses, limit }: { statuses: TaskStatus[]; limit: number },
): Promise<OverviewTask[]> {
  return shown(
    await selectTasks(db, reach)
      .where('tasks.status', 'in', statuses)
      .orderBy('tasks.id')
      .limit(limit)
      .execute(),
  );
}

/** The tasks that failed since a time, the newest first. */
export async function listFailed(
  db: Db,
  reach: Reach,
  { since, limit }: { since: string; limit: number },
): Promise<OverviewTask[]> {
  return shown(
    await selectTasks(db, reach)
      .where('tasks.status', '=', 'error')
      .where('tasks.end', '>=', since)
      .orderBy('tasks.end', 'desc')
      .orderBy('tasks.id', 'desc')
      .limit(limit)
      .execute(),
  );
}

const reachedProjects = (db: Db, reach: Reach, right: Right | null = null) =>
  db
    .selectFrom('projects')
    .select('projects.id')
    .where((eb) => isReached(reach, right)(eb as never));

export interface ProjectRow {
  id: number;
  name: string;
  last_task_id: number | null;
  active: number;
  to_confirm: number;
}

/** The projects with the newest tasks first, and the number of all. */
export async function listProjects(
  db: Db,
  reach: Reach,
  limit: number,
): Promise<{ rows: ProjectRow[]; total: number }> {
  const { total } = await reachedProjects(db, reach)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await reachedProjects(db, reach)
    .select('projects.name')
    .select((eb) => {
      const ofProject = eb.selectFrom('tasks').whereRef('tasks.project_id', '=', 'projects.id');
      const count = (statuses: readonly TaskStatus[]) =>
        ofProject
          .where('tasks.status', 'in', statuses)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull();
      return [
        ofProject.select(({ fn }) => fn.max('tasks.id').as('id')).as('last_task_id'),
        count(unfinishedStatuses).as('active'),
        count(['waiting_confirmation']).as('to_confirm'),
      ];
    })
    .orderBy('last_task_id', (order) => order.desc().nullsLast())
    .orderBy('projects.id')
    .limit(limit)
    .execute();
  return { rows, total };
}

export async function findByIds(db: Db, reach: Reach, ids: number[]): Promise<OverviewTask[]> {
  if (ids.length === 0) return [];
  return shown(await selectTasks(db, reach).where('tasks.id', 'in', ids).execute());
}

const MAX_WORDS = 10;

/** The words of a query; a query of more than ten words is searched as one text. */
const wordsOf = (q: string): string[] => {
  const words = q.split(/\s+/).filter(Boolean);
  return words.length > MAX_WORDS ? [q] : words;
};

/** Templates whose name has all words of the query. */
export async function findTemplates(
  db: Db,
  reach: Reach,
  { q, limit }: { q: string; limit: number },
): Promise<SearchResults['templates']> {
  const rows = await db
    .selectFrom('templates')
    .innerJoin('projects', 'projects.id', 'templates.project_id')
    .where('templates.project_id', 'in', reachedProjects(db, reach))
    .where((eb) => eb.and(wordsOf(q).map((word) => contains(['templates.name'], word))))
    .select([
      'templates.project_id',
      'projects.name as project_name',
      'templates.id as template_id',
      'templates.name as template_name',
      'templates.type as template_type',
    ])
    .select(mayRun(reach))
    .orderBy('templates.name')
    .orderBy('templates.id')
    .limit(limit)
    .execute();
  return rows.map((row) => toPlain<typeof row>({ may_run: 'flag' }, row));
}

/** Guests find only hosts of runs, as in the list of hosts. */
export async function findHosts(
  db: Db,
  reach: Reach,
  { q, limit }: { q: string; limit: number },
): Promise<SearchResults['hosts']> {
  const seen = reachedProjects(db, reach, 'inventory.read');
  return db
    .selectFrom('hosts')
    .innerJoin('projects', 'projects.id', 'hosts.project_id')
    .where('hosts.project_id', 'in', reachedProjects(db, reach))
    .where((eb) =>
      eb.or([
        eb('hosts.last_task_id', 'is not', null),
        eb.and([
          eb('hosts.project_id', 'in', seen),
          eb.exists(
            eb
              .selectFrom('inventory_hosts')
              .select('inventory_hosts.host')
              .whereRef('inventory_hosts.project_id', '=', 'hosts.project_id')
              .whereRef('inventory_hosts.host', '=', 'hosts.name'),
          ),
        ]),
      ]),
    )
    .where(contains(['hosts.name'], q))
    .select(['hosts.project_id', 'projects.name as project_name', 'hosts.name'])
    .orderBy('hosts.sort_key')
    .orderBy('hosts.id')
    .limit(limit)
    .execute();
}

/** Searches the newest `among` tasks of the installation. */
export async function findTasks(
  db: Db,
  reach: Reach,
  { q, among, limit }: { q: string; among: number; limit: number },
): Promise<OverviewTask[]> {
  const newest = db
    .selectFrom('tasks as all')
    .select(({ fn }) => sql<number>`${fn.max('all.id')} - ${among}`.as('id'));
  return shown(
    await selectTasks(db, reach)
      .where('tasks.id', '>', newest)
      .where('tasks.project_id', 'in', reachedProjects(db, reach))
      .where(holds('tasks.search', q))
      .orderBy('tasks.id', 'desc')
      .limit(limit)
      .execute(),
  );
}

export async function listPins(db: Db, reach: Reach): Promise<Pin[]> {
  const rows = await db
    .selectFrom('template_pins')
    .innerJoin('projects', 'projects.id', 'template_pins.project_id')
    .innerJoin('templates', 'templates.id', 'template_pins.template_id')
    .leftJoin('tasks', (join) =>
      join.on('tasks.id', '=', (eb) =>
        eb
          .selectFrom('tasks as newest')
          .select(({ fn }) => fn.max('newest.id').as('id'))
          .whereRef('newest.template_id', '=', 'template_pins.template_id'),
      ),
    )
    .where('template_pins.user_id', '=', reach.userId)
    .where((eb) => isReached(reach)(eb as never))
    .select([
      'template_pins.project_id',
      'projects.name as project_name',
      'template_pins.template_id',
      'templates.name as template_name',
      'templates.type as template_type',
      'tasks.id as task_id',
      'tasks.status',
      'tasks.dry_run',
      'tasks.failure',
      'tasks.created',
      'tasks.end',
    ])
    .select(mayRun(reach))
    .orderBy('projects.name')
    .orderBy('templates.name')
    .execute();
  return rows.map(({ task_id: id, status, dry_run: dryRun, failure, created, end, ...row }) => ({
    ...toPlain<typeof row>({ may_run: 'flag' }, row),
    last_task:
      id === null || status === null || created === null
        ? null
        : shownLast({ id, status, dry_run: dryRun ?? 0, failure, created, end }),
  }));
}

type LastTask = NonNullable<Pin['last_task']>;
type LastRow = Omit<LastTask, 'dry_run' | 'failure'> & { dry_run: 0 | 1; failure: string | null };

function shownLast(row: LastRow): LastTask {
  const columns = { dry_run: 'flag', failure: 'json' } as const;
  const { failure, ...last } = toPlain<LastRow, { failure: Failure | null }>(columns, row);
  return { ...last, failure: failure && { ...failure, text: taskFailures.message(failure) } };
}

export interface PinKey {
  userId: number;
  projectId: number;
  templateId: number;
}

/** Does nothing if the template is pinned already. */
export async function insertPin(db: Db, { userId, projectId, templateId }: PinKey): Promise<void> {
  await db
    .insertInto('template_pins')
    .values({ user_id: userId, project_id: projectId, template_id: templateId })
    .onConflict((conflict) => conflict.columns(['user_id', 'template_id']).doNothing())
    .execute();
}

export async function removePin(db: Db, { userId, projectId, templateId }: PinKey): Promise<void> {
  await db
    .deleteFrom('template_pins')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .where('template_id', '=', templateId)
    .execute();
}
