// The rows of the queue, and the statement that claims a task.

import { sql, type ExpressionBuilder } from 'kysely';
import { executionKinds, type ExecutionKind } from '#shared/api/execution-environments.ts';
import { builtInApps, plansFirst } from '#shared/apps.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { activeStatuses, runningStatuses } from '#shared/task-status.ts';
import type { Db } from '../../../db/open.ts';
import { hasRow, updateRows } from '../../../db/rows.ts';
import { toPlain } from '../../../db/plain-row.ts';
import { prepared, written } from '../../../db/prepared.ts';
import type { Tables } from '../../../db/tables.ts';
import { heldColumns, type HeldRow } from '../runs/held-rows.store.ts';

export interface QueuedTask {
  id: number;
  projectId: number;
  templateId: number;
  status: 'waiting' | 'confirmed';
  projectLimit: number;
  allowParallel: boolean;
  /** Whether it waits for a confirmation before it is assigned a slot. */
  asksFirst: boolean;
  /** Whether only the runner that has begun it can continue it. */
  isBound: boolean;
  /** That runner; null: not begun, or begun on the server with the embedded database. */
  boundTo: number | null;
  /** The tags that its runner must have. */
  tags: string[];
  /** The kind of its execution environment. */
  executionKind: ExecutionKind;
}

/** The statuses of a task in the queue. */
const queued: QueuedTask['status'][] = ['waiting', 'confirmed'];

/** The statuses of tasks of the same template that block a task without parallel tasks. */
const obstacles: Record<QueuedTask['status'], TaskStatus[]> = {
  waiting: activeStatuses,
  // Only running tasks, or two confirmed ones would wait for each other.
  confirmed: [...runningStatuses],
};

/** The apps that wait for a confirmation between two of their steps, and not before the first. */
const planners = builtInApps.map(({ id }) => id).filter(plansFirst);

export interface QueueReading {
  now: string;
  /** Only tasks launched after this one. */
  after: number;
  limit: number;
  /** In these projects, or without a runner of their kind with a free slot, only tasks that need no slot are read. */
  fullProjects: number[];
  fullKinds: ExecutionKind[];
  /** No runner of all projects has a free slot for these kinds with tags, such as `server ["dmz"]`. */
  fullTags: string[];
  /** The projects with runners of their own, which may have free slots. */
  ownRunners: number[];
}

/** No other task of its template blocks it, or the template allows parallel tasks. */
function isItsTurn(eb: ExpressionBuilder<Tables, 'tasks' | 'templates'>) {
  const isFreeFor = (status: QueuedTask['status']) =>
    eb.and([
      eb('tasks.status', '=', sql.lit(status)),
      eb(
        'tasks.template_id',
        'not in',
        eb
          .selectFrom('tasks')
          .select('template_id')
          .where('status', 'in', written(obstacles[status])),
      ),
    ]);
  const isParallel = eb('templates.allow_parallel_tasks', '=', eb.lit(1));
  return eb.or([isParallel, isFreeFor('waiting'), isFreeFor('confirmed')]);
}

/** The tags of the template, or of its project if it has none. */
const askedTags = (eb: ExpressionBuilder<Tables, 'templates' | 'projects'>) =>
  eb
    .case()
    .when('templates.runner_tags', '=', sql.lit('[]'))
    .then(eb.ref('projects.runner_tags'))
    .else(eb.ref('templates.runner_tags'))
    .end();

/** The kind and the tags of a task. */
const tagsKeyOf = (eb: QueueExpression) =>
  sql<string>`${eb.ref('tasks.execution_kind')} || ' ' || ${askedTags(eb)}`;

type TagsJson = { tags: string[] };

type QueueExpression = ExpressionBuilder<Tables, 'tasks' | 'templates' | 'projects'>;

/** A task that waits for a confirmation before its first command. */
const asksFirst = (eb: QueueExpression) => [
  eb('tasks.status', '=', sql.lit('waiting')),
  eb('tasks.confirmed_at', 'is', null),
];

/**
 * Not a task of these kinds, which no runner can take now. Without this condition, each round would read all of
 * those that wait.
 */
const isOfNone = (eb: QueueExpression, kinds: ExecutionKind[]) =>
  eb.or([
    eb('tasks.execution_kind', 'not in', written(kinds)),
    eb('tasks.step', '>', 0),
    eb.and([
      ...asksFirst(eb),
      eb('templates.requires_confirmation', '=', sql.lit(1)),
      eb('templates.app', 'not in', written(planners)),
    ]),
  ]);

const isServerFull = ({ fullKinds }: Pick<QueueReading, 'fullKinds'>): boolean =>
  fullKinds.length === executionKinds.length;

/** The task needs no slot, or one may be free. */
function hasRoom(eb: QueueExpression, reading: QueueReading) {
  const { fullKinds, fullProjects, fullTags, ownRunners } = reading;
  const asking = eb
    .selectFrom('templates')
    .select('id')
    .where('requires_confirmation', '=', 1)
    .where('app', 'not in', planners);
  // A subquery, because it is empty in most installations.
  const asks = eb.and([...asksFirst(eb), eb('tasks.template_id', 'in', asking)]);
  if (isServerFull(reading)) return asks;
  const rooms = [
    ...(fullProjects.length > 0 ? [eb('tasks.project_id', 'not in', fullProjects)] : []),
    ...(fullTags.length > 0
      ? [
          eb.or([
            eb('tasks.step', '>', 0),
            eb(tagsKeyOf(eb), 'not in', fullTags),
            ...(ownRunners.length > 0 ? [eb('tasks.project_id', 'in', ownRunners)] : []),
          ]),
        ]
      : []),
  ];
  return eb.and([
    ...(fullKinds.length > 0 ? [isOfNone(eb, fullKinds)] : []),
    ...(rooms.length > 0 ? [eb.or([asks, eb.and(rooms)])] : []),
  ]);
}

/** One statement for each set of kinds has a fixed text; others depend on the number of full projects and tags. */
function nameOfReading(reading: QueueReading) {
  const { fullKinds, fullProjects, fullTags } = reading;
  if (isServerFull(reading)) return prepared('list_due_when_full');
  if (fullProjects.length + fullTags.length > 0) return sql``;
  return prepared(
    ['list_due', ...(fullKinds.length > 0 ? ['without'] : []), ...fullKinds].join('_'),
  );
}

export async function hasQueued(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('status')
    .where('status', 'in', written(queued))
    .limit(1)
    .modifyEnd(prepared('has_queued'))
    .executeTakeFirst();
  return row !== undefined;
}

/** The tasks that may be assigned, in the order of launch. */
export async function listDue(db: Db, reading: QueueReading): Promise<QueuedTask[]> {
  const { now, after, limit } = reading;
  const rows = await db
    .selectFrom('tasks')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select([
      'tasks.id',
      'tasks.project_id as projectId',
      'tasks.template_id as templateId',
      'tasks.status',
      'tasks.confirmed_at as confirmedAt',
      'projects.max_parallel_tasks as projectLimit',
      'templates.allow_parallel_tasks as allowParallel',
      'templates.requires_confirmation as requiresConfirmation',
      'templates.app',
      'tasks.runner_id as runnerId',
      'tasks.step',
      'tasks.execution_kind as executionKind',
    ])
    .select((eb) => askedTags(eb).as('tags'))
    .where('tasks.status', 'in', written(queued))
    .where('tasks.id', '>', after)
    .where((eb) => eb.or([eb('not_before', 'is', null), eb('not_before', '<=', now)]))
    .where(isItsTurn)
    .where((eb) => hasRoom(eb, reading))
    .orderBy('tasks.id')
    .limit(limit)
    .modifyEnd(nameOfReading(reading))
    .execute();
  const columns = { allowParallel: 'flag', requiresConfirmation: 'flag', tags: 'json' } as const;
  return rows.map((row) => {
    const plain = toPlain<typeof row, TagsJson>(columns, row);
    const { confirmedAt, requiresConfirmation, app, runnerId, step, ...rest } = plain;
    const status = row.status === 'confirmed' ? 'confirmed' : 'waiting';
    return {
      ...rest,
      status,
      isBound: step > 0,
      boundTo: step > 0 ? runnerId : null,
      asksFirst: status === 'waiting' && !confirmedAt && requiresConfirmation && !plansFirst(app),
    };
  });
}

/** Locks the row, so that other servers that assign tasks of this project wait. */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await updateRows(
    db,
    'projects',
    { id: projectId },
    { max_parallel_tasks: sql.ref('max_parallel_tasks') },
  );
}

export type Move =
  | { to: 'waiting_confirmation' }
  /** `runnerId` is null for the server with the embedded database. */
  | { to: 'starting' | 'running'; start: string; runnerId: number | null; runnerName: string };

/**
 * Claims a task for exactly one of several servers, if the rules of its template and its project still
 * allow it; otherwise null. Must run in a transaction that has locked the project.
 */
export async function takeTask(db: Db, task: QueuedTask, move: Move): Promise<HeldRow | null> {
  const { to } = move;
  const inProject = db.selectFrom('tasks').where('project_id', '=', task.projectId);
  const inTheWay = inProject
    .select('id')
    .where('template_id', '=', task.templateId)
    .where('status', 'in', written(obstacles[task.status]))
    .where('id', '!=', task.id);
  const running = inProject
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', 'in', written(runningStatuses));
  let update = db
    .updateTable('tasks')
    .set(({ eb }) => ({
      status: to,
      ...(to !== 'waiting_confirmation' && {
        start: move.start,
        runner_id: move.runnerId,
        runner_name: move.runnerName,
        lease: eb('lease', '+', 1),
      }),
    }))
    .where('id', '=', task.id)
    .where('status', '=', task.status);
  if (!task.allowParallel) update = update.where(({ not, exists }) => not(exists(inTheWay)));
  if (to !== 'waiting_confirmation' && move.runnerId !== null) {
    const ofAnother = db
      .selectFrom('runners')
      .select('id')
      .where('id', '=', move.runnerId)
      .where('project_id', '!=', task.projectId);
    update = update.where(({ not, exists }) => not(exists(ofAnother)));
  }
  if (to !== 'waiting_confirmation' && task.projectLimit > 0) {
    update = update.where((eb) => eb(running, '<', task.projectLimit));
  }
  return (await update.returning(heldColumns).executeTakeFirst()) ?? null;
}

/** The numbers of running tasks by project. */
export async function countRunning(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('tasks')
    .select(({ fn }) => ['project_id', fn.countAll<number>().as('count')])
    .where('status', 'in', runningStatuses)
    .groupBy('project_id')
    .execute();
  return new Map(rows.map((row) => [row.project_id, row.count]));
}

export interface TemplateTurn {
  projectLimit: number;
  allowParallel: boolean;
  tags: string[];
  /** The oldest of its active tasks. */
  activeId: number | null;
}

/** The limits that apply to waiting tasks of these templates, by template id. */
export async function listTurns(db: Db, templateIds: number[]): Promise<Map<number, TemplateTurn>> {
  const rows = await db
    .selectFrom('templates')
    .innerJoin('projects', 'projects.id', 'templates.project_id')
    .select([
      'templates.id',
      'projects.max_parallel_tasks as projectLimit',
      'templates.allow_parallel_tasks as allowParallel',
    ])
    .select((eb) =>
      eb
        .selectFrom('tasks')
        .select(({ fn }) => fn.min('tasks.id').as('id'))
        .whereRef('tasks.project_id', '=', 'templates.project_id')
        .whereRef('tasks.template_id', '=', 'templates.id')
        .where('tasks.status', 'in', written(activeStatuses))
        .as('activeId'),
    )
    .select((eb) => askedTags(eb).as('tags'))
    .where('templates.id', 'in', templateIds)
    .execute();
  const columns = { allowParallel: 'flag', tags: 'json' } as const;
  return new Map(rows.map(({ id, ...row }) => [id, toPlain<typeof row, TagsJson>(columns, row)]));
}

/** The time of the next retry after this one; null: none. */
export async function findNextTry(db: Db, after: string): Promise<string | null> {
  const row = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.min('not_before').as('time'))
    .where('status', '=', sql.lit('waiting'))
    .where('not_before', '>', after)
    .modifyEnd(prepared('find_next_try'))
    .executeTakeFirst();
  return row?.time ?? null;
}

/** Whether a task of a schedule has not begun yet, or waits for a confirmation. */
export function hasWaiting(
  db: Db,
  { projectId, scheduleId }: { projectId: number; scheduleId: number },
): Promise<boolean> {
  return hasRow(db, 'tasks', {
    status: ['waiting', 'waiting_confirmation', 'confirmed'],
    project_id: projectId,
    schedule_id: scheduleId,
  });
}
