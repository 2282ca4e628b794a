// How far a task has come: told by our callback in real Ansible, and by the runs before.

import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { tasks, type Task, type TaskProgress } from '#shared/api/tasks.ts';
import { createApp } from '../src/server/app.ts';
import { engines, testApp, type TestApp } from './helpers/app.ts';
import { whereOf } from './helpers/logs.ts';
import { folder, seedProject, type Seed } from './helpers/seed.ts';
import { launch, logText, readTask, untilFinished, untilStatus } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

const ansibleApp = () => testApp({ runner: true, config: { path: process.env['PATH'] ?? '' } });

const hosts = 'one ansible_connection=local\ntwo ansible_connection=local\n';

/** A project with these hosts; its only template runs `play.yml`. */
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
  // The name of a task may hold a secret.
  expect(first).toMatchObject({ play: 'First play', task: 'Wait for ********', tasks: 2 });
  expect(await app.admin.call(tasks.hosts, whereOf(task))).toEqual([]);

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
  expect(await app.admin.call(tasks.hosts, whereOf(task))).toEqual([
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
});

const theirs = `
from ansible.plugins.callback import CallbackBase
DOCUMENTATION = "name: theirs\\ntype: aggregate\\nshort_description: a callback of the repository"
class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "theirs"
    CALLBACK_NEEDS_ENABLED = True
    def v2_playbook_on_stats(self, stats):
        self._display.display("theirs has been called")
`;
const short =
  '- hosts: all\n  gather_facts: false\n  tasks: [{ name: Only, debug: { msg: hi } }]\n';

test.each([
  ['ansible.cfg', '[defaults]\ncallback_plugins = ./plugins\ncallbacks_enabled = theirs\n', {}],
  ['variables', '', { ANSIBLE_CALLBACK_PLUGINS: './plugins', ANSIBLE_CALLBACKS_ENABLED: 'theirs' }],
])(
  'callbacks that a repository enables by %s work beside ours',
  async (_how, cfg, env) => {
    const app = await ansibleApp();
    const seed = await project(app, {
      'play.yml': short,
      'plugins/theirs.py': theirs,
      ...(cfg && { 'ansible.cfg': cfg }),
    });
    await app.ctx.db
      .updateTable('environments')
      .set({ env: JSON.stringify(env) })
      .where('id', '=', seed.environmentId)
      .execute();
    const task = await untilStatus(app.admin, await start(app, seed), 'success');
    expect(await logText(app.admin, task)).toContain('theirs has been called');
    expect(task.progress).toMatchObject({ task: 'Only', tasks: 1, ok: 2 });
    expect(await app.admin.call(tasks.hosts, whereOf(task))).toHaveLength(2);
  },
  60_000,
);

test('what a program writes into the file of its progress does no harm', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, {
    'play.yml': `echo nonsense > "$SIGNALBOX_PROGRESS_FILE"
echo '{"play": 1}' >> "$SIGNALBOX_PROGRESS_FILE"
head -c 100000 /dev/urandom >> "$SIGNALBOX_PROGRESS_FILE"; echo >> "$SIGNALBOX_PROGRESS_FILE"\n`,
  });
  await seed.template();
  const task = await untilStatus(app.admin, await start(app, seed), 'success');
  expect(task.progress).toBeNull();
});

test.each(engines)('a task is expected to take as long as earlier ones, on %s', async (engine) => {
  const app = await testApp({ engine });
  const seed = await seedProject(app.admin);
  await seed.template();
  const first = await start(app, seed);
  expect(first.expected_s).toBeNull();
  const begun = Date.parse('2026-03-01T12:00:00.000Z');
  // The first three are too old to count, and one that failed does not count either.
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
