// Also on PostgreSQL: a task is stopped by a change of its row.
// Stopping before the program runs, and one task that cannot run beside others that can.

import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { testApp } from '../helpers/app.ts';
import { folder, seedProject } from '../helpers/seed.ts';
import {
  claimNext,
  launch,
  logText,
  readTask,
  untilFinished,
  untilStatus,
} from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';
import { isRunning } from '../helpers/processes.ts';

/** A program that never ends when it is given this argument; the file tells its process. */
async function endless(
  program: string,
  argument: string,
): Promise<{ path: string; pidFile: string }> {
  const path = await folder();
  const pidFile = join(path, 'pid');
  const rest = loadConfig().path;
  const script = `#!/bin/sh
case " $* " in *" ${argument} "*) echo $$ > '${pidFile}'; exec sleep 1000 ;; esac
PATH='${rest}' exec ${program} "$@"
`;
  await writeFile(join(path, program), script);
  await chmod(join(path, program), 0o755);
  return { path, pidFile };
}

const slow: [what: string, program: string, argument: string][] = [
  ['whose repository is being fetched', 'git', 'fetch'],
  ['whose roles are being installed', 'ansible-galaxy', 'install'],
];

describe.each(slow)('a task %s', (_what, program, argument) => {
  test.each([
    ['gently', false],
    ['forced', true],
  ])('stops, %s', async (_how, force) => {
    const { path, pidFile } = await endless(program, argument);
    const app = await testApp();
    app.ctx.config.path = `${path}:${app.ctx.config.path}`;
    await app.app.runner.start();
    const mark = join(await folder(), 'ran');
    const seed = await seedProject(app.admin, {
      'play.yml': `touch '${mark}'\n`,
      'requirements.yml': 'roles: [{ name: polite }]\n',
    });
    const template = await seed.template();
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const pid = await until(async () => Number(await readFile(pidFile, 'utf8').catch(() => 0)));
    expect((await readTask(app.admin, task)).status).toBe('starting');
    const params = { project_id: seed.projectId, task_id: task.id };
    await app.admin.call(tasks.stop, { params, body: { force } });
    expect((await untilFinished(app.admin, task)).status).toBe('stopped');
    expect(await until(async () => !(await isRunning(pid)))).toBe(true);
    expect(await logText(app.admin, task)).toMatch(/\nStopped\.$/);
    const runs = join(app.ctx.config.dataDir, 'runs');
    expect(await until(async () => (await readdir(runs)).length === 0)).toBe(true);
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  });
});

test('a task that cannot be run fails by itself: others run, and the server starts', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin);
  const survey = [{ name: 'token', title: 'Token', type: 'secret' as const }];
  const broken = await seed.template({ survey_vars: survey });
  const body = { template_id: broken.id, secret: '{"token":"x"}' };
  const left = await launch(app.admin, seed.projectId, body);
  // As an earlier server might have left it: in its hands.
  expect((await claimNext(app.ctx))?.id).toBe(left.id);
  const change = { secret: 'nothing that was ever sealed' };
  await app.ctx.db.updateTable('tasks').set(change).execute();
  await app.app.runner.start();
  expect((await untilFinished(app.admin, left)).status).toBe('error');
  const first = await launch(app.admin, seed.projectId, body);
  await untilStatus(app.admin, first, 'success');
  const spoilt = await app.ctx.db
    .updateTable('templates')
    .set({ requires_confirmation: 1 })
    .where('id', '=', broken.id)
    .executeTakeFirst();
  expect(spoilt.numUpdatedRows).toBe(1n);
  const held = await launch(app.admin, seed.projectId, body);
  await untilStatus(app.admin, held, 'waiting_confirmation');
  const { secret } = change;
  await app.ctx.db.updateTable('tasks').set({ secret }).where('id', '=', held.id).execute();
  const good = await seed.template();
  const others = [await launch(app.admin, seed.projectId, { template_id: good.id })];
  await app.admin.call(tasks.confirm, {
    params: { project_id: seed.projectId, task_id: held.id },
  });
  others.push(await launch(app.admin, seed.projectId, { template_id: good.id }));
  expect((await untilFinished(app.admin, held)).status).toBe('error');
  for (const task of others) await untilStatus(app.admin, task, 'success');
  expect(await logText(app.admin, held)).not.toBe('');
});
