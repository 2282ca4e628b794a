import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { environments } from '#shared/api/environments.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../helpers/app.ts';
import { folder, seedProject } from '../helpers/seed.ts';
import { launch, logText, readTask, untilFinished } from '../helpers/tasks.ts';

const script = `
for a; do echo "given: $a"; done
echo "process: $REGION; $deep; $count; $word"
echo "secret is \${#token} long"
python3 -c 'import json, os; v = json.load(open(os.environ["SIGNALBOX_VARIABLES"])); print(sorted(v), v["count"] + 1, v["deep"])'
pwd | sed 's/.*runs/runs/'
`;

test('a shell script gets its arguments, its variables and its environment; secrets stay hidden', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'bin/run.sh': script });
  const place = { project_id: seed.projectId };
  const environment = await app.admin.call(environments.create, {
    params: place,
    body: {
      name: 'Region',
      json: '{"deep": {"a": [1, "two"]}, "count": 0, "word": "from the environment"}',
      env: '{"REGION": "north"}',
    },
  });
  const template = await seed.template({
    app: 'bash',
    playbook: 'bin/run.sh',
    environment_id: environment.id,
    arguments: '["--first", "a b; $(touch /tmp/never)"]',
    survey_vars: [
      { name: 'count', title: 'Count', type: 'int' },
      { name: 'word', title: 'Word' },
      { name: 'token', title: 'Token', type: 'secret' },
    ],
  });
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    environment: '{"count": 41, "word": "$(id) `id`"}',
    secret: '{"token": "canary-script"}',
  });
  const { status, commands } = await untilFinished(app.admin, task);
  const log = await logText(app.admin, task);
  expect([status, log.match(/(?<=given: ).*/g)]).toEqual([
    'success',
    ['--first', 'a b; $(touch /tmp/never)'],
  ]);
  expect(log).toContain('process: north; {"a":[1,"two"]}; 41; $(id) `id`\nsecret is 13 long\n');
  expect(log).toContain("['count', 'deep', 'token', 'word'] 42 {'a': [1, 'two']}");
  expect(log).toMatch(/^runs\/.*\/checkout$/m);
  expect(log).toContain('\nVariables: deep, count, word, token\n');
  expect(commands).toEqual(["bash bin/run.sh --first 'a b; $(touch /tmp/never)'"]);
  expect(`${log} ${commands.join(' ')}`).not.toContain('canary');
});

test('a guest sees the names of variables in command and log, and no value', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'run.sh': 'true\n', 'main.py': '' });
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

test('an answer does not steer the programs of a task', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'run.sh': 'echo "given: [$BASH_ENV] [$Word]"\n' });
  const template = await seed.template({
    app: 'bash',
    playbook: 'run.sh',
    survey_vars: ['BASH_ENV', 'PATH', 'Word'].map((name) => ({ name, title: name })),
  });
  const answers = { BASH_ENV: '/tmp/never', PATH: '/tmp/never', Word: 'x' };
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    environment: JSON.stringify(answers),
  });
  const { status } = await untilFinished(app.admin, task);
  const log = await logText(app.admin, task);
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('since programs obey them: BASH_ENV, PATH\n');
  expect(log).toContain('given: [] [x]');
});

test('the command of a task is kept with its secrets hidden', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'run.sh': 'true\n' });
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
  'a script that would not heed %s is not run with it',
  async (field) => {
    const app = await testApp();
    const seed = await seedProject(app.admin, null);
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

test('a PowerShell script runs without profile and prompt (a stand-in for pwsh)', async () => {
  const app = await testApp({ runner: true });
  const program = join(await folder(), 'pwsh');
  await writeFile(program, '#!/bin/sh\nfor a; do echo "given: $a"; done\n');
  await chmod(program, 0o755);
  await app.admin.call(apps.update, {
    params: { app_id: 'powershell' },
    body: { path: program },
  });
  const seed = await seedProject(app.admin, { 'run.ps1': '' });
  const template = await seed.template({
    app: 'powershell',
    playbook: 'run.ps1',
    survey_vars: [{ name: 'word', title: 'Word' }],
  });
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    environment: '{"word": "; Remove-Item x"}',
  });
  await untilFinished(app.admin, task);
  expect((await logText(app.admin, task)).match(/(?<=given: ).*/g)).toEqual([
    '-NoProfile',
    '-NonInteractive',
    '-File',
    'run.ps1',
  ]);
});

test('a script outside the repository is not run', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'run.sh': 'echo ran\n' });
  const template = await seed.template({ app: 'bash', playbook: 'gone.sh' });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain('The script "gone.sh" is not in the repository');
});
