// Schedules from before workflows could be started, through the migration that writes their table again.

import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import { fillTables } from '../../../../test/helpers/any-rows.ts';
import { ownEngine } from '../../../../test/helpers/app.ts';
import { freshPostgres } from '../../../../test/helpers/postgres.ts';
import { folder } from '../../../../test/helpers/seed.ts';
import { openDatabase } from '../open.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';

async function freshDatabase(): Promise<Kysely<never>> {
  const postgres = ownEngine === 'postgres' ? await freshPostgres() : null;
  const db = openDatabase(postgres?.url ?? `sqlite:${await folder()}/signalbox.db`);
  onTestFinished(async () => {
    await db.destroy();
    await postgres?.drop();
  });
  return db as unknown as Kysely<never>;
}

/** Like the schedule with the id 1, as text of a statement. */
const copyAs = (id: number | null) => `insert into schedules
  (${id === null ? '' : 'id, '}project_id, template_id, name, cron_format, time_zone, active, missed)
  select ${id === null ? '' : `${id}, `}project_id, template_id, 'Copy', '@daily', 'UTC', 1, 'run'
  from schedules where id = 1`;

const fire = (id: number, due: string) =>
  `insert into schedule_fires (id, schedule_id, due, noticed, result)
    values (${id}, 1, '${due}', '${due}', 'started')`;

test('schedules keep their values, their due times and what refers to them', async () => {
  const db = await freshDatabase();
  const run = (text: string) => sql.raw(text).execute(db);
  const before = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  expect((await before.migrateTo('0055-workflows')).error).toBeUndefined();
  // Everything has the id 1.
  await fillTables(db);
  await run(copyAs(7));
  await run(copyAs(9));
  await run('delete from schedules where id = 9');
  await run(fire(4, '2026-04-29'));
  await run(fire(5, '2026-04-30'));
  const read = async (table: string) =>
    (await run(`select * from ${table} order by id`)).rows as object[];
  const [schedules, fires] = [await read('schedules'), await read('schedule_fires')];
  expect([schedules.length, fires.length]).toEqual([2, 3]);
  expect(await migrate(db as never)).toContain('0056-starts-of-workflows');

  expect(await read('schedules')).toEqual(
    schedules.map((one) => ({
      ...one,
      workflow_id: null,
      changed_by: null,
      execution_environment_id: null,
    })),
  );
  expect(await read('schedule_fires')).toEqual(
    fires.map((one) => ({ ...one, workflow_run_id: null })),
  );
  // No id is given twice; PostgreSQL does not count ids that were given.
  await run(ownEngine === 'sqlite' ? copyAs(null) : copyAs(10));
  expect((await read('schedules')).at(-1)).toMatchObject({ id: 10 });
  // A due time is handled once, and there is what a schedule refers to.
  await expect(run(fire(6, '2026-04-30'))).rejects.toThrow(/unique/i);
  const missing = 'update schedules set template_id = 99 where id = 7';
  await expect(run(missing)).rejects.toThrow(/foreign key/i);
  await expect(run(missing.replace('template_id', 'workflow_id'))).rejects.toThrow(/foreign key/i);
  // Schedules go with their template, and their due times with them.
  await run('update workflow_runs set schedule_id = 1');
  await run('delete from alert_channel_templates');
  await run('delete from workflow_uses');
  await run('update integrations set template_id = null');
  await run('delete from templates');
  expect([await read('schedules'), await read('schedule_fires')]).toEqual([[], []]);
  expect((await run('select schedule_id from workflow_runs')).rows).toEqual([
    { schedule_id: null },
  ]);
});
