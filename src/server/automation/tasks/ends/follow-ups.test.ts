import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { system } from '#shared/api/system.ts';
import { tasks } from '#shared/api/tasks.ts';
import { type TestApp } from '../../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { claimNext, launch, readTask, untilFinished } from '../../../../../test/helpers/tasks.ts';
import { until } from '../../../../../test/helpers/until.ts';
import { isSqlite } from '../../../db/row.ts';
import { endTask } from '../move-task.ts';
import { followEnd } from '../ends/follow-ups.ts';

/** Makes the database refuse the event of the end of tasks; returns what lets it be recorded again. */
async function refuseEvents({ ctx: { db } }: TestApp): Promise<() => Promise<void>> {
  if (isSqlite(db as never)) {
    await sql`create trigger refused before insert on events when new.code = 'task.finished'
      begin select raise(abort, 'no events today'); end`.execute(db);
    return async () => void (await sql`drop trigger refused`.execute(db));
  }
  await sql`create function refuse_event() returns trigger language plpgsql as
    ${sql.raw(`'begin raise exception ''no events today''; end'`)}`.execute(db);
  await sql`create trigger refused before insert on events for each row
    when (new.code = 'task.finished') execute function refuse_event()`.execute(db);
  return async () => {
    await sql`drop trigger refused on events`.execute(db);
    await sql`drop function refuse_event`.execute(db);
  };
}

const left = ({ ctx: { db } }: TestApp) => db.selectFrom('task_follow_ups').selectAll().execute();

async function finishedEvents(app: TestApp, projectId: number): Promise<number> {
  const params = { project_id: projectId };
  const all = await app.admin.call(events.ofProject, { params, query: {} });
  return all.filter(({ code }) => code === 'task.finished').length;
}

test('a task ends although what follows fails, and all of it follows once', async () => {
  const { app, seed, params } = await appWithProject({ 'play.yml': 'exit 1\n' }, { runner: true });
  const template = await seed.template({ retries: 1, retry_delay_s: 3600 });
  const allow = await refuseEvents(app);
  const first = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, first)).status).toBe('error');
  // The next attempt is launched all the same, and once.
  const attempts = async () =>
    (await app.admin.call(tasks.list, { params, query: {} })).filter(
      ({ attempt }) => attempt === 2,
    );
  await until(async () => (await attempts()).length > 0, 60);
  const health = async () => (await app.nobody.call(system.health, {})).follow_ups;
  await until(async () => (await health()) === 'failed', 60);
  expect(await left(app)).toMatchObject(
    [{ task_id: first.id, done: 'alerts,next,deploys', error: /no events today/ }].map((row) => ({
      ...row,
      error: expect.stringMatching(row.error),
    })),
  );
  expect((await app.nobody.call(system.health, {})).queue).toBe('ok');
  await allow();
  await until(async () => (await left(app)).length === 0, 60);
  expect(await finishedEvents(app, seed.projectId)).toBe(1);
  expect(await attempts()).toHaveLength(1);
  expect(await until(async () => (await health()) === 'ok', 60)).toBe(true);
});

test('what a server has left that ended is done by another one, however many try', async () => {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template({ retries: 1 });
  const task = await launch(app.admin, seed.projectId, { template_id });
  const claimed = await claimNext(app.ctx);
  const allow = await refuseEvents(app);
  expect(claimed && (await endTask(app.ctx, claimed, 'error'))).toBe(true);
  await allow();
  await app.ctx.db.updateTable('task_follow_ups').set({ done: '' }).execute();
  await app.ctx.db.deleteFrom('tasks').where('retry_of', '=', task.id).execute();
  await Promise.all([1, 2, 3, 4].map(() => followEnd(app.ctx, task)));
  expect(await left(app)).toEqual([]);
  expect(await finishedEvents(app, seed.projectId)).toBe(1);
  const again = app.ctx.db.selectFrom('tasks').select('id').where('retry_of', '=', task.id);
  expect(await again.execute()).toHaveLength(1);
});

test('an exit code of more than 32 bits ends its task', async () => {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id });
  const claimed = await claimNext(app.ctx);
  const result = { exitCode: 3_221_225_786 };
  expect(claimed && (await endTask(app.ctx, claimed, 'error', result))).toBe(true);
  expect((await readTask(app.admin, task)).exit_code).toBe(2_147_483_647);
});
