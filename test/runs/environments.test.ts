// Slow: whole tasks of several apps.
// What reaches the programs of a task whose template has several environments, or allows any variable.

import { describe, expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { tasks } from '#shared/api/tasks.ts';
import { type TestApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { realPrograms } from '../helpers/programs.ts';
import { type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const secret = (type: 'var' | 'env', name: string, value: string) => ({
  type,
  name,
  secret: value,
  operation: 'create' as const,
});

async function start(files: Record<string, string>) {
  const { app, seed } = await appWithProject(files, {
    runner: true,
    config: { path: realPrograms },
  });
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

describe('several environments', () => {
  const files = {
    'show.sh': 'for name in A B C D E F; do printenv $name | base64 -w0; echo; done\n',
  };
  const encoded = (text: string): string => Buffer.from(`${text}\n`).toString('base64');

  async function startWithTwo() {
    const { app, seed } = await start(files);
    const first = await addEnvironment(app, seed, {
      name: 'First',
      json: '{"A": "one", "B": "one", "E": 12345678901234567890}',
      env: '{"C": "one"}',
      secrets: [secret('var', 'D', 'canary-d-one'), secret('env', 'F', 'canary-f-one')],
    });
    const second = await addEnvironment(app, seed, {
      name: 'Second',
      json: '{"B": "two", "D": "plain two"}',
      secrets: [secret('env', 'C', 'canary-c-two')],
    });
    return { app, seed, ids: [first.id, second.id] };
  }

  test('reach the run with all variables and secrets, of which the last ones count', async () => {
    const { app, seed, ids } = await startWithTwo();
    const script = { app: 'bash', playbook: 'show.sh', inventory_id: null };
    const several = { environment_id: null, environment_ids: ids };
    const { status, log } = await run(app, seed, { ...script, ...several });
    expect(status).toBe('success');
    const shown = ['one', 'two', '12345678901234567890', 'plain two'].map(encoded);
    // Whole lines: what one text is encoded to may be the end of another.
    expect(log.split('\n')).toEqual(expect.arrayContaining(shown));
    // The secrets that count are hidden in all forms, and those that were replaced never came.
    const hidden = ['canary-c-two', 'canary-f-one', 'canary-d-one'];
    for (const text of hidden) expect(log).not.toContain(encoded(text).slice(0, 10));
    expect(log.match(/\*{8}/g)?.length).toBeGreaterThanOrEqual(2);
  });

  test('are named by the templates that use them when they are deleted', async () => {
    const { app, seed, ids } = await startWithTwo();
    const several = { environment_id: null, environment_ids: ids };
    const template = await seed.template({ name: 'Uses both', ...several });
    const twice = { environment_id: ids[0] ?? 0, environment_ids: [...ids, ...ids] };
    await expect(seed.template(twice)).rejects.toThrow(/environment_ids.2/);
    expect(template).toMatchObject({ environment_id: ids[0], environment_ids: ids });
    for (const environment_id of ids) {
      const params = { project_id: seed.projectId, environment_id };
      const { status, body } = await app.admin.ask(environments.remove, { params });
      expect([status, body.code, body.error]).toEqual([
        400,
        'environment.in_use',
        expect.stringContaining('Uses both'),
      ]);
      const refs = await app.admin.call(environments.refs, { params });
      expect(refs.templates).toEqual([{ id: template.id, name: 'Uses both' }]);
    }
  });
});

test('variables outside of the survey reach a template that allows any', async () => {
  const lines = ['"{{ deep.a[1] }} {{ plain }} {{ word }}"'];
  const text = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug: { msg: ${lines.join()} }
`;
  const { app, seed } = await start({ 'play.yml': text });
  const allowed = { allow_any_variable_in_task: true };
  const given = { deep: { a: [1, '{{ 1 + 1 }}'] }, plain: true, word: 'a: b' };
  const { status, log, task } = await run(app, seed, allowed, {
    environment: JSON.stringify(given),
    secret: '{"key": {"of": "canary-nested"}}',
  });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('{{ 1 + 1 }} True a: b');
  expect(JSON.parse(task.environment)).toEqual(given);
  const closed = await seed.template();
  const refused = app.admin.call(tasks.start, {
    params: { project_id: seed.projectId },
    body: { template_id: closed.id, environment: JSON.stringify(given) },
  });
  await expect(refused).rejects.toThrow(/task.field_not_allowed/);
});

describe('answers for the environment of the programs', () => {
  const asked = (name: string, type: 'int' | 'secret') => ({
    name,
    title: name,
    type,
    required: false,
    target: 'env' as const,
  });
  const survey_vars = [asked('COUNT', 'int'), asked('API_TOKEN', 'secret')];
  const answers = { environment: '{"COUNT": 3}', secret: '{"API_TOKEN": "canary-token"}' };

  test('are environment variables of Ansible and no variables of the playbook', async () => {
    const playbook = [
      '- hosts: localhost',
      '  connection: local',
      '  gather_facts: false',
      '  tasks:',
      '    - ansible.builtin.assert:',
      '        that:',
      "          - lookup('env', 'COUNT') == '3'",
      "          - lookup('env', 'API_TOKEN') | length == 12",
      '          - COUNT is undefined and API_TOKEN is undefined',
    ].join('\n');
    const { app, seed } = await start({ 'play.yml': playbook });
    const { status, log } = await run(app, seed, { playbook: 'play.yml', survey_vars }, answers);
    expect([status, log]).toEqual(['success', expect.not.stringContaining('canary-token')]);
  });

  test('win over the environment of the template', async () => {
    const { app, seed } = await start({ 'show.sh': 'printenv COUNT | base64\n' });
    const { id } = await addEnvironment(app, seed, { env: '{"COUNT": "1"}' });
    const script = { app: 'bash', playbook: 'show.sh', inventory_id: null, environment_id: id };
    const { log } = await run(app, seed, { ...script, survey_vars }, answers);
    expect(log.split('\n')).toContain(Buffer.from('3\n').toString('base64'));
  });
});
