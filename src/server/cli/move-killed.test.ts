// Only on PostgreSQL: an installation moves into it, from SQLite.
// Before a release: it moves 64 MB three times and kills the first move.

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runInside, startCommand } from '../../../test/helpers/command.ts';
import { changeRow, from, installation, open } from '../../../test/helpers/moved-installation.ts';
import { seedProject } from '../../../test/helpers/seed.ts';
import { launch } from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';
import { openDatabase } from '../db/open.ts';

// Each command is a process that starts.
const longTime = 180_000;

test(
  'a move that is killed goes on, finds what was changed, and begins again if it must',
  { timeout: longTime },
  async () => {
    const { app, file, url, settings, stop } = await installation();
    const seed = await seedProject(app.admin, null);
    const template = await seed.template();
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    await stop();
    const source = openDatabase(`sqlite:${file}`);
    const count = 4000;
    for (let line = 1; line <= count; line += 1) {
      const row = { task_id: task.id, first_line: line, lines: 1, bytes: 9, time: '' };
      await source
        .insertInto('task_log_chunks')
        .values({ ...row, data: randomBytes(16_384) })
        .execute();
    }
    await source.destroy();
    const db = open(url);
    const chunks = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
      select count(*) from task_log_chunks`.execute(db);
      return rows[0]?.count ?? 0;
    };

    const killed = startCommand(from, settings);
    await until(async () => (await chunks().catch(() => 0)) > 0);
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.once('close', resolve));
    const half = await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
      where application_name = 'signalbox move' and datname = current_database()`.execute(db);
      return rows.length === 0 && (await chunks());
    });
    expect(half).toBeLessThan(count);
    const early = await runInside(['server'], settings);
    expect([early.code, early.out]).toEqual([1, '']);
    expect(early.error).toContain('has not come to its end');

    await sql`update projects set name = 'Another'`.execute(db);
    const tampered = await runInside(from, settings);
    expect(tampered.code).toBe(1);
    expect(tampered.out).toContain('Going on where the last move ended.\n');
    expect(tampered.out).toMatch(/^task_log_chunks +4,000 +4,000 +(\w{16}) +\1 +equal$/m);
    expect(tampered.out).toMatch(/^projects +1 +1 .*UNEQUAL$/m);
    expect(tampered.error).toMatch(/^Not the same on both sides: projects\. No server starts/);
    expect((await runInside(['server'], settings)).error).toContain('has not come to its end');

    await changeRow(file, "update projects set name = 'As it is now'");
    const next = await runInside(from, settings);
    expect([next.code, next.error]).toEqual([0, '']);
    expect(next.out).toContain('beginning again');
    const { name } = await db.selectFrom('projects').select('name').executeTakeFirstOrThrow();
    expect([name, await chunks()]).toEqual(['As it is now', count]);
  },
);
