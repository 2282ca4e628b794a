// How the secrets of an environment, and answers, reach the programs of a task.

import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { environments } from '#shared/api/environments.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { useQuickPython } from '../helpers/quick-python.ts';
import { folder, seedProject, type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const standIn = join(import.meta.dirname, '../fixtures/stand-in/terraform');

const secret = (type: 'var' | 'env', name: string, value: string) => ({
  type,
  name,
  secret: value,
  operation: 'create' as const,
});

const token = { name: 'token', title: 'Token', type: 'secret' as const };
const region = { name: 'region', title: 'Region' };

async function start(files: Record<string, string>, runner = true) {
  const app = await testApp({ runner, config: { path: String(process.env['PATH']) } });
  const seed = await seedProject(app.admin, files);
  return { app, seed };
}

function addEnvironment({ admin }: TestApp, { projectId }: Seed, fields: object) {
  const params = { project_id: projectId };
  return admin.call(environments.create, { params, body: { name: 'With secrets', ...fields } });
}

async function run(app: TestApp, seed: Seed, template: object, launched: object = {}) {
  const { id } = await seed.template(template);
  const task = await launch(app.admin, seed.projectId, { template_id: id, ...launched });
  const ended = await untilFinished(app.admin, task);
  return { status: ended.status, log: await logText(app.admin, task), task: ended };
}

const play = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg:
          - "plain {{ plain }}"
          - "region {{ region }}"
          - "token of {{ token | length }}, {{ token == 'can' ~ 'ary-' ~ '{' ~ '{ 1 }' ~ '}' }}"
          - "process of {{ lookup('env', 'API_KEY') | length }}"
          - "shown: {{ token }} {{ lookup('env', 'API_KEY') | b64encode }}"
`;

describe('the secrets of an environment', () => {
  const fields = {
    json: '{"plain": "text", "token": "of the JSON", "region": "north"}',
    env: '{"API_KEY": "of the JSON", "PLAIN": "p"}',
    secrets: [
      // Not evaluated: a secret may hold any characters.
      secret('var', 'token', 'canary-{{ 1 }}'),
      secret('var', 'region', 'secret region'),
      secret('env', 'API_KEY', 'canary-key'),
    ],
  };

  test('are variables of a playbook and of its process, outranked by answers, and masked', async () => {
    const { app, seed } = await start({ 'play.yml': play });
    const { id } = await addEnvironment(app, seed, fields);
    const { status, log } = await run(
      app,
      seed,
      { environment_id: id, survey_vars: [region] },
      { environment: '{"region": "south"}' },
    );
    expect([status, log]).toEqual(['success', log]);
    for (const words of ['plain text', 'region south', 'token of 14, True', 'process of 10']) {
      expect(log).toContain(words);
    }
    expect(log).toContain('shown: ********');
    expect(log).not.toMatch(/canary-|Y2FuYXJ5/);
  });

  test('reach a script by its process and the file of variables, never by its arguments', async () => {
    const script = [
      'echo "arguments $*"',
      'echo "of ${#token} ${#API_KEY} $PLAIN $plain $region"',
      'tr , "\\n" < "$SIGNALBOX_VARIABLES" | sed "s/canary/found/"',
    ].join('\n');
    const { app, seed } = await start({ 'run.sh': script });
    const { id } = await addEnvironment(app, seed, fields);
    const { status, log } = await run(
      app,
      seed,
      { app: 'bash', playbook: 'run.sh', environment_id: id, survey_vars: [region] },
      { environment: '{"region": "south"}' },
    );
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain('arguments \n');
    expect(log).toContain('of 14 10 p text south\n');
    expect(log).toContain('"token":"found-{{ 1 }}"');
  });

  test('are used as they are when the run begins, not as they were at the launch', async () => {
    const { app, seed } = await start({ 'run.sh': 'echo "${token#can}"' }, false);
    const made = await addEnvironment(app, seed, { secrets: [secret('var', 'token', 'can-old')] });
    const template = await seed.template({
      app: 'bash',
      playbook: 'run.sh',
      environment_id: made.id,
    });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const [known] = made.secrets ?? [];
    await app.admin.call(environments.update, {
      params: { project_id: seed.projectId, environment_id: made.id },
      body: {
        name: made.name,
        secrets: [{ id: known?.id, operation: 'update', secret: 'can-new' }],
      },
    });
    await app.app.runner.start();
    await untilFinished(app.admin, task);
    expect(await logText(app.admin, task)).toContain('\n-new');
    // What was frozen at the launch holds neither.
    const row = await app.ctx.db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toMatch(/can-(?:old|new)/);
  });

  test('that went with their environment before the run began keep it from running', async () => {
    const { app, seed } = await start({ 'run.sh': 'echo "it runs"' }, false);
    const { id } = await addEnvironment(app, seed, fields);
    const ofScript = { name: 'Script', app: 'bash', playbook: 'run.sh', environment_id: id };
    const template = await seed.template(ofScript);
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    await app.ctx.db.updateTable('templates').set({ environment_id: null }).execute();
    const params = { project_id: seed.projectId, environment_id: id };
    await app.admin.call(environments.remove, { params });
    await app.app.runner.start();
    expect((await untilFinished(app.admin, task)).status).toBe('error');
    const log = await logText(app.admin, task);
    expect(log).toContain('This environment does not exist in this project.');
    expect(log).not.toContain('it runs');
  });

  test('are known to the programs that install requirements: pip', async () => {
    const { app, seed } = await start({
      'run.py': 'import greeting; print("hello from", greeting.place)',
      'requirements.txt': 'greeting==1.0\n',
    });
    await useQuickPython(app);
    const wheels = await folder();
    execFileSync('python3', ['-c', makeWheel, wheels]);
    const { id } = await addEnvironment(app, seed, {
      env: '{"PIP_NO_INDEX": "1"}',
      secrets: [secret('env', 'PIP_FIND_LINKS', wheels)],
    });
    const ofPython = { app: 'python', playbook: 'run.py', environment_id: id };
    const { status, log } = await run(app, seed, ofPython);
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain('hello from a wheel');
    expect(log).not.toContain(wheels);
    // What one project was let in to is not for the others.
    const other = await seedProject(app.admin, {
      'run.py': 'import greeting',
      'requirements.txt': 'greeting==1.0\n',
    });
    await rm(wheels, { recursive: true });
    const offline = await addEnvironment(app, other, { env: '{"PIP_NO_INDEX": "1"}' });
    const foreign = await run(app, other, { ...ofPython, environment_id: offline.id });
    expect(foreign.status).toBe('error');
    expect(foreign.log).toContain('No matching distribution found for greeting');
  });
});

const makeWheel = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + '/greeting-1.0-py3-none-any.whl', 'w') as wheel:
    info = 'greeting-1.0.dist-info/'
    wheel.writestr('greeting.py', 'place = "a wheel"\\n')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;

describe('answers', () => {
  test('win over the environment, in every app', async () => {
    const { app, seed } = await start({
      'play.yml':
        '- hosts: all\n  gather_facts: false\n  tasks: [{ ansible.builtin.debug: { msg: "region {{ region }}" } }]\n',
      'run.sh': 'echo "region $region"',
      'infra/main.tf': '# input: nothing\n',
    });
    const { id } = await addEnvironment(app, seed, { json: '{"region": "north"}' });
    const both = { environment_id: id, survey_vars: [region] };
    const answer = { environment: '{"region": "south"}' };
    expect((await run(app, seed, both, answer)).log).toContain('region south');
    const script = { ...both, app: 'bash', playbook: 'run.sh' };
    expect((await run(app, seed, script, answer)).log).toContain('\nregion south');
    await app.admin.call(apps.update, { params: { app_id: 'terraform' }, body: { path: standIn } });
    const word = { name: 'word', title: 'Word' };
    const outranked = await addEnvironment(app, seed, {
      name: 'Outranked',
      json: '{"word": "north"}',
      secrets: [secret('var', 'word', 'canary-word')],
    });
    const infra = { app: 'terraform', playbook: 'infra', environment_id: outranked.id };
    const plan = (template: object, launched: object) =>
      run(app, seed, { ...infra, ...template }, { dry_run: true, ...launched });
    expect((await plan({}, {})).log).toContain('input = ********');
    const answered = await plan({ survey_vars: [word] }, { environment: '{"word": "south"}' });
    expect(answered.log).toContain('input = south');
  });

  test('are taken by templates without an environment', async () => {
    const { app, seed } = await start({ 'run.sh': 'echo "$region, of ${#token}"' });
    const { status, log } = await run(
      app,
      seed,
      {
        app: 'bash',
        playbook: 'run.sh',
        environment_id: null,
        survey_vars: [region, token],
      },
      { environment: '{"region": "south"}', secret: '{"token": "canary"}' },
    );
    expect(status).toBe('success');
    expect(log).toContain('\nsouth, of 6');
    expect(log).not.toContain('canary');
  });
});

test('values keep their types and their order: large integers, nested ones, texts with quotes', async () => {
  const json = `{"z": 12345678901234567890, "a": {"list": [1, "two", true], "n": 1.0}, "q": "it's \\"so\\"", "m": false}`;
  const { app, seed } = await start({
    'run.sh': 'for one in "$z" "$a" "$q" "$m"; do echo "got $one"; done',
    'play.yml': `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg: "{{ z }} {{ z | type_debug }} {{ a.list[1] }} {{ a.n | type_debug }} {{ q }} {{ m | type_debug }}"
`,
  });
  const { id } = await addEnvironment(app, seed, { json, env: '{"BIG": 12345678901234567890}' });
  const script = { app: 'bash', playbook: 'run.sh', environment_id: id };
  const { log } = await run(app, seed, script);
  const got = log.split('\n').filter((line) => line.startsWith('got '));
  expect(got).toEqual([
    'got 12345678901234567890',
    'got {"list":[1,"two",true],"n":1.0}',
    `got it's "so"`,
    'got false',
  ]);
  const played = (await run(app, seed, { environment_id: id })).log;
  expect(played).toContain(`12345678901234567890 int two float it's \\"so\\" bool`);
});
