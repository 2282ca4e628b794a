// Only on PostgreSQL: an installation is moved from SQLite to PostgreSQL.
// Slow: a whole installation is moved, twice.
// Its commands are those of postgresql.md in the guide.

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { projects } from '#shared/api/projects.ts';
import { runners } from '#shared/api/runners.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../test/helpers/app.ts';
import { runInside, type Settings } from '../../../test/helpers/command.ts';
import { fullProject } from '../../../test/helpers/full-project.ts';
import { insertMany } from '../../../test/helpers/many/insert.ts';
import { listCalls } from '../../../test/helpers/many/list-calls.ts';
import { firstId, type Size } from '../../../test/helpers/many/rows.ts';
import { folder, seedProject } from '../../../test/helpers/seed.ts';
import { changeRow, from, installation, open } from '../../../test/helpers/moved-installation.ts';
import { launch, untilFinished } from '../../../test/helpers/tasks.ts';
import { createApp, type App } from '../app.ts';
import { openContext } from '../open-context.ts';
import type { Tables } from '../db/tables.ts';

const size: Size = {
  projects: 3,
  users: 5,
  templates: 30,
  tasks: 1200,
  events: 300,
  bigShare: { templates: 10, tasks: 600, events: 100 },
  things: 3,
};

// In milliseconds: each command starts a process.
const longTime = 180_000;

/** The answers of the lists and of the log of a task. */
async function answers({ http }: App, cookie: string, log: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const url of [...listCalls(size, firstId).map((call) => call.url), log]) {
    const { statusCode, body } = await http.inject({ url, headers: { cookie } });
    // The session was last used at the time of this request.
    const lasting = body.replaceAll(/"last_active":"[^"]*"/g, '');
    found.set(url, `${statusCode} ${lasting}`);
  }
  return found;
}

const foreignKeys = async (db: Kysely<Tables>): Promise<unknown[]> =>
  (
    await sql`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as text
      from pg_constraint where contype = 'f' order by 1, 2`.execute(db)
  ).rows;

test('everything moves, and the API answers as before', { timeout: longTime }, async () => {
  const { app, url, settings, stop } = await installation(true);
  await fullProject(app.admin);
  const seed = await seedProject(app.admin, { 'play.yml': 'seq -f "line %g" 3000\n' });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  // The test makes many tasks now, which must not run.
  await app.app.runner.close();
  await insertMany(app.ctx, size);
  const { id: gone } = await app.admin.call(projects.create, { body: { name: 'Gone' } });
  await app.admin.call(projects.remove, { params: { project_id: gone } });
  const params = { project_id: seed.projectId, task_id: task.id };
  const log = pathOf(tasks.output, { params });
  const { cookie } = app.admin;
  const before = await answers(app.app, cookie, log);
  expect(before.get(log)).toContain('line 3000');
  const names = (await app.ctx.db.introspection.getTables()).map(({ name }) => name);
  await stop();

  const moved = await runInside(from, settings);
  expect([moved.code, moved.error]).toEqual([0, '']);
  const lines = moved.out.split('\n').filter((line) => /^\w+ .*(?:equal|UNEQUAL)$/.test(line));
  const named = lines.map((line) => line.split(' ')[0]);
  expect(named).toEqual(names.filter((name) => !name.startsWith('kysely_')).toSorted());
  expect(lines.filter((line) => !line.endsWith(' equal'))).toEqual([]);
  expect(moved.out).toMatch(/^tasks +1,201 +1,201 +(\w{16}) +\1 +equal$/m);

  const parts = { ...app.parts, config: { ...app.parts.config, databaseUrl: url } };
  const ctx = await openContext(parts);
  onTestFinished(ctx.close);
  const there = await createApp(ctx, parts);
  onTestFinished(there.close);
  const after = await answers(there, cookie, log);
  expect([...after.keys()]).toEqual([...before.keys()]);
  // The test shows only the addresses, because the answers would fill pages.
  const others = [...after]
    // The new installation has other servers, none of which has registered yet.
    .filter(([address]) => address !== runners.list.path)
    .filter(([address, answer]) => answer !== before.get(address));
  expect(others.map(([address]) => address)).toEqual([]);
  const made = await there.http.inject({
    method: 'POST',
    url: '/api/projects',
    headers: { cookie },
    payload: { name: 'New' },
  });
  expect(made.json<{ id: number }>().id).toBe(gone + 1);
  const fresh = await testApp();
  expect(await foreignKeys(ctx.db)).toEqual(await foreignKeys(fresh.ctx.db));

  const again = await runInside(from, settings);
  expect([again.code, again.out]).toEqual([1, '']);
  expect(again.error).toMatch(/holds something else already\. Name an empty one\.\n$/);
});

test('says why it does not move', { timeout: longTime }, async () => {
  const { file, url, settings, stop } = await installation();
  const dataDir = settings['SIGNALBOX_DATA_DIR'] ?? '';
  const refusal = async (args: string[], values: Settings): Promise<string> => {
    const { code, out, error } = await runInside(args, values);
    expect([code, out]).toEqual([1, '']);
    return error;
  };
  expect(await refusal(from, { SIGNALBOX_DATA_DIR: dataDir })).toMatch(
    /^Set SIGNALBOX_DATABASE_URL to .*\n$/,
  );
  // The process is idle; it only has to be running.
  expect(await refusal(from, settings)).toBe(
    `A server or another program works on ${file}. Stop it, and start the move again.\n`,
  );
  await stop();
  expect(await refusal(['migrate', '--from', 'mysql'], settings)).toContain('--from must be');
  const nothing = join(await folder(), 'none.db');
  expect(await refusal(['migrate', '--from', `sqlite:${nothing}`], settings)).toBe(
    `There is no file ${nothing} to move.\n`,
  );
  await writeFile(nothing, 'no database at all'.repeat(1000));
  expect(await refusal(['migrate', '--from', `sqlite:${nothing}`], settings)).toBe(
    `${nothing} is not an SQLite database.\n`,
  );
  const wrong = { ...settings, SIGNALBOX_MASTER_KEY: randomBytes(32).toString('base64') };
  expect(await refusal(from, wrong)).toContain('The master key is not the one');
  const nobody = { ...settings, SIGNALBOX_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' };
  expect(await refusal(from, nobody)).toContain('cannot be reached');

  await changeRow(file, "update kysely_migration set name = '0000-none' where name = '0001-start'");
  expect(await refusal(from, settings)).toContain('is of an earlier version');
  await changeRow(file, "update kysely_migration set name = '0001-start' where name = '0000-none'");
  await changeRow(file, "insert into kysely_migration values ('9999-later', '')");
  expect(await refusal(from, settings)).toContain('is of a later version');
  await changeRow(file, "delete from kysely_migration where name = '9999-later'");

  const taken = await testApp({ engine: 'postgres' });
  const other = { ...settings, SIGNALBOX_DATABASE_URL: taken.ctx.config.databaseUrl ?? '' };
  expect(await refusal(from, other)).toContain('holds something else already');
  const db = open(url);
  const tables = await db.introspection.getTables();
  expect(tables).toEqual([]);
});
