import { sql } from 'kysely';
import type { SystemFigures } from '#shared/api/system.ts';
import { activeStatuses, runningStatuses } from '#shared/task-status.ts';
import type { Db } from '../../db/open.ts';
import { isSqlite } from '../../db/row.ts';

export async function readDatabase(db: Db): Promise<SystemFigures['database']> {
  const engine = isSqlite(db as never) ? 'sqlite' : 'postgresql';
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ version: string; size_bytes: number }>`
          select sqlite_version() as version, page_count * page_size as size_bytes
          from pragma_page_count(), pragma_page_size()`.execute(db)
      : await sql<{ version: string; size_bytes: number }>`
          select current_setting('server_version') as version,
            pg_database_size(current_database()) as size_bytes`.execute(db);
  const [row] = rows;
  return { engine, version: row?.version ?? '', size_bytes: row?.size_bytes ?? 0 };
}

/** The unfinished tasks of all projects. */
export async function readQueue(db: Db): Promise<SystemFigures['queue']> {
  const { rows } = await sql<Record<'waiting' | 'to_confirm' | 'running', number>>`
    select (select count(*) from tasks where status = 'waiting') as waiting,
      (select count(*) from tasks where status = 'waiting_confirmation') as to_confirm,
      (select count(*) from tasks where status in (${sql.join(runningStatuses)})) as running`.execute(
    db,
  );
  const oldest = await db
    .selectFrom('tasks')
    .select('created')
    .where('status', '=', 'waiting')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const [row] = rows;
  return {
    waiting: row?.waiting ?? 0,
    to_confirm: row?.to_confirm ?? 0,
    running: row?.running ?? 0,
    oldest_waiting: oldest?.created ?? null,
  };
}

/** The launch time of the oldest task that waits only for a runner, not for a retry or another task. */
export async function readOldestDue(db: Db, now: string): Promise<string | null> {
  const row = await db
    .selectFrom('tasks')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select('tasks.created')
    .where('tasks.status', '=', 'waiting')
    .where((eb) => eb.or([eb('not_before', 'is', null), eb('not_before', '<=', now)]))
    .where((eb) =>
      eb.or([
        eb('templates.allow_parallel_tasks', '=', 1),
        eb(
          'tasks.template_id',
          'not in',
          eb.selectFrom('tasks').select('template_id').where('status', 'in', activeStatuses),
        ),
      ]),
    )
    .orderBy('tasks.id')
    .limit(1)
    .executeTakeFirst();
  return row?.created ?? null;
}
