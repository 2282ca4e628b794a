// Only on SQLite: hostile values meet Ansible in the runner, which knows no database.
// Slow: hostile values meet the real Ansible, in one run after the other.
// Hostile values that reach the real Ansible, which would evaluate what looks like a template.

import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { type Task, tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { allowAll, expectUntouched, offer, setUp } from '../helpers/hostile-values.ts';
import { makeReceiver } from '../helpers/integrations.ts';
import { commitFiles } from '../helpers/seed.ts';
import { launch, logText, untilAllFinished, untilFinished, untilStatus } from '../helpers/tasks.ts';

const longTime = 300_000;

const pingAll = '- hosts: all\n  gather_facts: false\n  tasks: [{ ansible.builtin.ping: {} }]\n';

test('a limit or tags', { timeout: longTime }, async () => {
  const { app, seed, canary, values, params } = await setUp({
    isReal: true,
    files: { 'play.yml': pingAll },
  });
  const template = await seed.template(allowAll);
  const launched: Task[] = [];
  for (const value of values) {
    const taken: string[] = [];
    for (const field of ['limit', 'tags', 'skip_tags']) {
      const body = { template_id: template.id, commit_hash: 'none', [field]: value };
      // The commit is wrong too, so that nothing is launched yet.
      const { body: answer } = await app.admin.ask(tasks.start, { params, body });
      const paths = (answer.fields ?? []).map(({ path }) => path);
      expect(paths).toContain('commit_hash');
      if (!paths.includes(field)) taken.push(field);
    }
    if (taken.length === 0) continue;
    const fields = Object.fromEntries(taken.map((field) => [field, value]));
    const body = { template_id: template.id, ...fields };
    launched.push(await launch(app.admin, seed.projectId, body));
  }
  for (const task of await untilAllFinished(app.admin, launched)) {
    expect(await logText(app.admin, task)).not.toMatch(/root:[^:]*:0:0/);
  }
  await expectUntouched(canary);
});

test('answers to a survey', { timeout: longTime }, async () => {
  const { app, seed, canary, values, params } = await setUp({ isReal: true });
  const usable = values.filter((value) => value !== '\ud800');
  const show = usable.map((_, index) => `        - "{{ answer_${index} }}"\n`).join('');
  const plays = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg: "{{ signalbox_vars.task_details.message }}"
    - ansible.builtin.debug:
        msg: "{{ item | length }}"
      loop:
${show}`;
  const { git_url: path } = await app.admin.call(repositories.one, {
    params: { ...params, repository_id: seed.repositoryId },
  });
  await commitFiles(path, { 'play.yml': plays });
  const variable = (_: string, index: number) => {
    const type = (['', 'text', 'secret'] as const)[index % 3] ?? '';
    return { name: `answer_${index}`, title: 'Answer', type };
  };
  const { id: template_id } = await seed.template({ survey_vars: usable.map(variable) });
  const answers = (isSecret: boolean): string => {
    const entries = usable.map((value, index) => [`answer_${index}`, value] as const);
    return JSON.stringify(Object.fromEntries(entries.filter((_, i) => (i % 3 === 2) === isSecret)));
  };
  const message = `{{ lookup('pipe', 'echo x > ${canary}') }}`;
  const task = await launch(app.admin, seed.projectId, {
    template_id,
    message,
    environment: answers(false),
    secret: answers(true),
  });
  await untilStatus(app.admin, task, 'success');
  const log = await logText(app.admin, task);
  expect(log.includes(message)).toBe(true);
  // Each value arrives unchanged, character by character.
  const lengths = [...log.matchAll(/"msg": "(\d+)"/g)].map(([, length]) => Number(length));
  expect(lengths).toEqual(usable.map((value) => value.length));
  await expectUntouched(canary);
});

test('what other programs send', { timeout: longTime }, async () => {
  const show = `- hosts: all
  gather_facts: false
  tasks: [{ ansible.builtin.debug: { msg: "{{ item | length }}" }, loop: ["{{ sent }}"] }]
`;
  const { app, seed, canary, values } = await setUp({ isReal: true, files: { 'play.yml': show } });
  const { id: template_id } = await seed.template();
  const receiver = await makeReceiver(app.admin, seed.projectId, { template_id });
  await receiver.extract({ key: 'text', variable: 'sent' });
  const hostile = values.filter((value) => /\{\{|\{%/.test(value));
  expect(hostile.length).toBeGreaterThan(1);
  const sent = `{{ lookup('pipe', 'echo x > ${canary}') }} ${hostile.join('\n')}`;
  await receiver.send({ body: { text: sent } });
  const { task_id } = await receiver.newest();
  const params = { project_id: seed.projectId, task_id: task_id ?? 0 };
  const task = await app.admin.call(tasks.one, { params });
  await untilStatus(app.admin, task, 'success');
  expect(await logText(app.admin, task)).toContain(`"msg": "${sent.length}"`);
  await expectUntouched(canary);
});

test('names of survey variables', { timeout: longTime }, async () => {
  const { app, seed, canary, values, params } = await setUp({
    isReal: true,
    files: { 'play.yml': pingAll },
  });
  const taken: string[] = [];
  const base = { playbook: 'play.yml', repository_id: seed.repositoryId };
  for (const [index, name] of [...values, 'ansible_play_name', '__proto__'].entries()) {
    const body = {
      ...base,
      name: `Names ${index}`,
      inventory_id: seed.inventoryId,
      environment_id: seed.environmentId,
      survey_vars: [{ name, title: 'Answer' }],
    };
    if (await offer(app.admin, templates.create, { params, body }, 'survey_vars')) taken.push(name);
  }
  expect(taken.length).toBeGreaterThan(1);
  const names = [...new Set(taken.map((name) => name.trim()))];
  const survey_vars = names.map((name) => ({ name, title: 'Answer' }));
  const { id: template_id } = await seed.template({ survey_vars });
  const environment = JSON.stringify(Object.fromEntries(names.map((name) => [name, name])));
  const task = await launch(app.admin, seed.projectId, { template_id, environment });
  const { status } = await untilFinished(app.admin, task);
  expect(['success', 'error']).toContain(status);
  await expectUntouched(canary);
});
