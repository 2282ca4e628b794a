// Where a task ran: on the task, in its log and in the list of servers.

import { expect, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { launch, logText, readTask, untilFinished } from '../../../../test/helpers/tasks.ts';
import { loadConfig } from '../../config/config.ts';

test('a task says which server ran it, also afterwards', async () => {
  const config = { serverName: 'north hall 2', maxParallelTasks: 1 };
  const { app, seed, params } = await appWithProject(
    { 'play.yml': 'echo it ran\n' },
    { runner: true, config },
  );
  const template = await seed.template({ app: 'bash' });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect(task.runner_name).toBe('');
  const guest = await app.member(seed.projectId, 'guest');
  await untilFinished(guest, task);
  expect((await readTask(guest, task)).runner_name).toBe('north hall 2');
  expect(await logText(guest, task)).toContain(
    `Task ${task.id}: ${template.name}, on the server north hall 2\n`,
  );
  const [server] = await app.admin.call(runners.list, {});
  expect(server?.name).toBe('north hall 2');
  await app.ctx.db.updateTable('tasks').set({ runner_id: null }).execute();
  const [listed] = await guest.call(tasks.list, { params });
  expect(listed?.runner_name).toBe('north hall 2');
});

test('the name of a server is one line', () => {
  expect(loadConfig({ SIGNALBOX_SERVER_NAME: 'wéb 1' }).serverName).toBe('wéb 1');
  expect(loadConfig({}).serverName).not.toBe('');
  for (const name of ['two\nlines', 'x'.repeat(101), '\u001b[31mred']) {
    expect(() => loadConfig({ SIGNALBOX_SERVER_NAME: name })).toThrow('SIGNALBOX_SERVER_NAME');
  }
});
