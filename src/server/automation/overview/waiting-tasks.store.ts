// The tasks that wait for a confirmation, with what they will do.

import { MAX_SHOWN_ANSWERS_LENGTH, type WaitingTask } from '#shared/api/overview.ts';
import type { PlanCounts } from '#shared/api/task-plan.ts';
import type { OnlyHosts } from '#shared/api/tasks.ts';
import {
  type ConfirmationReason,
  confirmationReasons,
} from '#shared/catalogue/confirmation-reasons.ts';
import { sql } from 'kysely';
import { splitLauncher } from '../../db/launcher.ts';
import type { Db } from '../../db/open.ts';
import { toPlain } from '../../db/plain-row.ts';
import { jsonField } from '../../db/row.ts';
import { mayOnTemplate, type Reach, selectTasks } from './overview.store.ts';

function selectWaiting(db: Db, reach: Reach) {
  const snapshot = (...path: string[]) => jsonField(db as never, 'tasks.snapshot', path);
  return selectTasks(db, reach)
    .where(mayOnTemplate(reach, 'task.confirm'))
    .leftJoin('inventories', 'inventories.id', 'tasks.inventory_id')
    .leftJoin('tasks as builds', 'builds.id', 'tasks.build_task_id')
    .where('tasks.status', '=', 'waiting_confirmation')
    .select([
      'tasks.version',
      'builds.version as build_version',
      'tasks.commit_hash',
      'tasks.commit_message',
      'tasks.secret_answers',
      'tasks.only_hosts',
      'tasks.plan',
      'tasks.confirmation_reason',
      'tasks.inventory_id',
      'inventories.name as inventory_name',
    ])
    .select((eb) => [
      sql<string>`case when length(tasks.environment) <= ${MAX_SHOWN_ANSWERS_LENGTH}
        then tasks.environment else '{}' end`.as('environment'),
      snapshot('branch').as('branch'),
      snapshot('limit').as('limit'),
      snapshot('narrowed', 'limit').as('limit_before'),
      snapshot('inventory', 'type').as('inventory_type'),
      eb
        .selectFrom('inventory_hosts')
        .whereRef('inventory_hosts.inventory_id', '=', 'tasks.inventory_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('host_count'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectWaiting>['execute']>>[number];

const columns = {
  dry_run: 'flag',
  secret_answers: 'json',
  only_hosts: 'json',
  plan: 'json',
  confirmation_reason: 'json',
} as const;

interface Json {
  secret_answers: string[] | null;
  only_hosts: OnlyHosts | null;
  plan: PlanCounts | null;
  confirmation_reason: ConfirmationReason | null;
}

function toWaitingTask(row: Row): Omit<WaitingTask, 'confirm_until'> {
  const plain = splitLauncher(toPlain<Row, Json>(columns, row), row.template_name);
  const { build_version, branch, limit, limit_before, inventory_type, host_count, ...rest } = plain;
  const { inventory_id: id, inventory_name: name, confirmation_reason: why, ...task } = rest;
  return {
    ...task,
    version: task.version ?? build_version,
    secret_answers: task.secret_answers ?? [],
    confirmation_reason: why && { ...why, text: confirmationReasons.message(why) },
    inventory_hosts: host_count || null,
    launched_with: {
      inventory: inventory_type === null ? null : { id, name },
      branch: branch ?? '',
      // The hosts to which a limit was narrowed are `only_hosts`.
      limit: limit_before ?? limit ?? '',
    },
  };
}

/** The oldest tasks that the caller may confirm. */
export async function listWaitingTasks(
  db: Db,
  reach: Reach,
  limit: number,
): Promise<Omit<WaitingTask, 'confirm_until'>[]> {
  const rows = await selectWaiting(db, reach).orderBy('tasks.id').limit(limit).execute();
  return rows.map(toWaitingTask);
}
