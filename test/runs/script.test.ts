// What people see of the scripts that they launch.

import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { launch, logText, readTask, untilFinished } from '../helpers/tasks.ts';

test('a guest sees the names of variables in command and log, and no value', async () => {
  const { app, seed } = await appWithProject(
    { 'run.sh': 'true\n', 'main.py': '' },
    { runner: true },
  );
  const place = { project_id: seed.projectId };
  const environment = await app.admin.call(environments.create, {
    params: place,
    body: { name: 'Values', json: '{"word": "value-of-word"}', env: '{"OTHER": "value-of-other"}' },
  });
  const guest = await app.member(seed.projectId, 'guest');
  for (const [name, playbook] of [
    ['bash', 'run.sh'],
    ['python', 'main.py'],
  ] as const) {
    const fields = { app: name, playbook, environment_id: environment.id };
    const template = await seed.template(fields);
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    await untilFinished(app.admin, task);
    const seen = [await readTask(guest, task), await logText(guest, task)];
    expect(JSON.stringify(seen)).not.toContain('value-of');
    expect(seen[1]).toContain('Variables: word');
  }
});

test('the command of a task is kept with its secrets hidden', async () => {
  const { app, seed } = await appWithProject({ 'run.sh': 'true\n' }, { runner: true });
  const template = await seed.template({
    app: 'bash',
    playbook: 'run.sh',
    arguments: '["--token=canary-typed"]',
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    secret: '{"token": "canary-typed"}',
  });
  await untilFinished(app.admin, task);
  expect((await readTask(app.admin, task)).commands).toEqual(["bash run.sh '--token=********'"]);
});

test.each(['limit', 'tags', 'skip_tags', 'diff', 'dry_run', 'auto_approve'])(
  'a script that would ignore %s is not run with it',
  async (field) => {
    const { app, seed } = await appWithProject(null);
    const template = await seed.template({
      app: 'bash',
      allow_override_limit_in_task: true,
      allow_override_tags_in_task: true,
      allow_override_skip_tags_in_task: true,
    });
    const isText = ['limit', 'tags', 'skip_tags'].includes(field);
    const { status, body } = await app.admin.ask(tasks.start, {
      params: { project_id: seed.projectId },
      body: { template_id: template.id, [field]: isText ? 'web' : true },
    });
    expect([status, body.code, body.params]).toEqual([
      422,
      'task.field_not_supported',
      { app: 'bash', field },
    ]);
  },
);
