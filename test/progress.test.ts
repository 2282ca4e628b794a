// Only on SQLite: it is about what Ansible reports.
// Slow: playbooks with the real Ansible.
// The progress of a task: reported by our callback in real Ansible, and estimated from earlier
// runs.

import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { taskResults } from '#shared/api/task-results.ts';
import { tasks, type Task, type TaskProgress } from '#shared/api/tasks.ts';
import { createApp } from '../src/server/app.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { appWithProject } from './helpers/app-with-project.ts';
import { whereOf } from './helpers/logs.ts';
import { realPrograms } from './helpers/programs.ts';
import { folder, seedProject, type Seed } from './helpers/seed.ts';
import { launch, readTask, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

const ansibleApp = () => testApp({ runner: true, config: { path: realPrograms } });

const hosts = 'one ansible_connection=local\ntwo ansible_connection=local\n';

/** A project with these hosts, whose only template runs `play.yml`. */
async function project(app: TestApp, files: Record<string, string>, fields = {}): Promise<Seed> {
  const seed = await seedProject(app.admin, files);
  await app.ctx.db
    .updateTable('inventories')
    .set({ inventory: hosts })
    .where('id', '=', seed.inventoryId)
    .execute();
  await seed.template(fields);
  return seed;
}

async function start(app: TestApp, { projectId }: Seed, secret = '{}'): Promise<Task> {
  const [template] = await app.ctx.db
    .selectFrom('templates')
    .select('id')
    .where('project_id', '=', projectId)
    .execute();
  return launch(app.admin, projectId, { template_id: template?.id ?? 0, secret });
}

const playbook = (gate: string): string => `
- name: First play
  hosts: all
  gather_facts: false
  tasks:
    - name: Say something
      ansible.builtin.debug:
        msg: hello
    - name: Wait for {{ place | default('nothing') }}
      ansible.builtin.shell: until [ -e '${gate}' ]; do sleep 0.1; done
- name: Second play
  hosts: all
  gather_facts: false
  tasks:
    - name: Fail on one
      ansible.builtin.command: 'false'
      when: inventory_hostname == 'two'
`;

const untilTask = (app: TestApp, task: Task, wanted: RegExp): Promise<TaskProgress> =>
  until(async () => {
    const { progress } = await readTask(app.admin, task);
    return progress && wanted.test(progress.task) && progress;
  });

test('a run of Ansible tells its play and task as it goes, also over a restart', async () => {
  const app = await ansibleApp();
  const gate = `${await folder()}/gate`;
  const survey = [{ name: 'place', title: 'Place', type: 'secret' }];
  const seed = await project(app, { 'play.yml': playbook(gate) }, { survey_vars: survey });
  const task = await start(app, seed, JSON.stringify({ place: 'harbour-secret' }));
  const first = await untilTask(app, task, /^Wait/);
  // The name of a task may contain a secret.
  expect(first).toMatchObject({ play: 'First play', task: 'Wait for ********', tasks: 2 });
  expect(await app.admin.call(tasks.hosts, whereOf(task))).toMatchObject([
    { host: 'one', ok: 1, changed: 0 },
    { host: 'two', ok: 1, changed: 0 },
  ]);

  await app.app.runner.close();
  await app.ctx.db.updateTable('tasks').set({ progress: null }).execute();
  const next = await createApp(app.ctx, { config: app.ctx.config, log: app.ctx.log });
  app.app.runner.close = () => next.runner.close();
  await next.runner.start();
  expect((await untilTask(app, task, /^Wait/)).tasks).toBe(2);

  await writeFile(gate, '');
  const done = await untilFinished(app.admin, task);
  expect(done.status).toBe('error');
  expect(done.progress).toMatchObject({ play: 'Second play', task: 'Fail on one', tasks: 3 });
  expect(done.progress).toMatchObject({ ok: 1, failed: 1 });
  const none = { unreachable: 0, rescued: 0, ignored: 0 };
  expect(await app.admin.call(tasks.hosts, whereOf(task))).toMatchObject([
    { ...none, host: 'one', ok: 2, changed: 1, failed: 0, skipped: 1 },
    { ...none, host: 'two', ok: 2, changed: 1, failed: 1, skipped: 0 },
  ]);
  const { sections } = await app.admin.call(tasks.outline, whereOf(task));
  const { lines } = await app.admin.call(tasks.lines, whereOf(task));
  const told = sections.map(({ kind, name, line }) => [kind, name, lines[line - 1]?.output]);
  expect(told).toEqual([
    ['play', 'First play', expect.stringMatching(/^PLAY \[First play\]/)],
    ['task', 'Say something', expect.stringMatching(/^TASK \[Say something\]/)],
    ['task', 'Wait for ********', expect.stringMatching(/^TASK \[Wait for/)],
    ['play', 'Second play', expect.stringMatching(/^PLAY \[Second play\]/)],
    ['task', 'Fail on one', expect.stringMatching(/^TASK \[Fail on one\]/)],
    ['recap', '', expect.stringMatching(/^PLAY RECAP/)],
  ]);
  expect(sections[1]).toMatchObject({ ok: 2, changed: 0, failed: 0 });
  expect(sections[2]).toMatchObject({ ok: 0, changed: 2, failed: 0 });
  expect(sections[4]).toMatchObject({ ok: 0, changed: 0, skipped: 1, failed: 1 });

  // The same in the form of clients of later versions of the API.
  const of = { task_id: task.id, project_id: seed.projectId };
  expect(await app.admin.call(taskResults.hosts, whereOf(task))).toMatchObject([
    { id: 1, ...of, host: 'one', ok: 2, failed: 0 },
    { id: 2, ...of, host: 'two', ok: 2, failed: 1 },
  ]);
  expect(await app.admin.call(taskResults.errors, whereOf(task))).toEqual([
    {
      id: 1,
      ...of,
      host: 'two',
      task: 'Fail on one',
      error: expect.stringMatching(/^fatal: \[two\]: FAILED!/),
    },
  ]);
  const firstPlay = sections[0]?.line ?? 0;
  const recap = sections.at(-1)?.line ?? 0;
  const stages = await app.admin.call(taskResults.stages, whereOf(task));
  expect(stages.map((one) => [one.type, one.start_output_id, one.end_output_id])).toEqual([
    ['init', 1, firstPlay - 1],
    ['running', firstPlay, recap - 1],
    ['print_result', recap, done.log_lines],
  ]);
  const [init, running, printing] = stages;
  expect(init).toMatchObject({ id: 1, task_id: task.id, start: done.start, result: null });
  expect(running).toMatchObject({
    start: lines[firstPlay - 1]?.time,
    end: lines[recap - 1]?.time,
  });
  expect(printing).toMatchObject({ start: running?.end, end: done.end });
});

test('a task is expected to take as long as earlier ones', async () => {
  const { app, seed } = await appWithProject();
  await seed.template();
  const first = await start(app, seed);
  expect(first.expected_s).toBeNull();
  const begun = Date.parse('2026-03-01T12:00:00.000Z');
  // The first three runs are too old to count, and the failed one does not count either.
  const seconds = [1, 1, 1, 90, 10, 20, 30, 40, 50, 60, 70, 80, 100];
  for (const [index, length] of [...seconds, 5].entries()) {
    const { id } = await start(app, seed);
    const status = index === seconds.length ? 'error' : 'success';
    const [from, to] = [begun, begun + length * 1000].map((time) => new Date(time).toISOString());
    const change = { status, start: from ?? null, end: to ?? null } as const;
    await app.ctx.db.updateTable('tasks').set(change).where('id', '=', id).execute();
  }
  expect((await start(app, seed)).expected_s).toBe(50);
});
