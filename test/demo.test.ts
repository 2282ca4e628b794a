// The demo project with the real Ansible: each of its templates succeeds.

import { expect, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from './helpers/app.ts';
import { seedProject } from './helpers/seed.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';

const answers: Record<string, string> = {
  '3. Announce a train': JSON.stringify({ destination: 'Harbour', platform: '4', delay: 7 }),
};

test('each template of the demo project succeeds, with the real program', async () => {
  const path = String(process.env['PATH']);
  const app = await testApp({ runner: true, config: { path, localRepositories: [] } });
  const config = app.ctx.config;
  config.localRepositories = [`${config.dataDir}/repositories`];
  const project = await app.admin.call(projects.create, { body: { name: 'Demo', demo: true } });
  const params = { project_id: project.id };
  const list = await app.admin.call(templates.list, { params });
  expect(list.length).toBeGreaterThanOrEqual(3);
  const logs: string[] = [];
  for (const template of list) {
    const task = await launch(app.admin, project.id, {
      template_id: template.id,
      environment: answers[template.name] ?? '{}',
    });
    const { status, commit_message: message } = await untilFinished(app.admin, task);
    const log = await logText(app.admin, task);
    expect([template.name, status, log]).toEqual([template.name, 'success', log]);
    expect(message).toBe('Add the demo playbooks');
    logs.push(log);
  }
  expect(logs.join('\n')).toContain('leaves from platform 4');
  expect(logs.join('\n')).toContain('It is late by 7 minutes');
  expect(logs.join('\n')).toContain('The code has 16 characters and begins with amber');
  expect(logs.join('\n')).not.toContain('demo-vault-password');
}, 60_000);

test('an answer is never evaluated as a template', async () => {
  const path = String(process.env['PATH']);
  const app = await testApp({ runner: true, config: { path } });
  const seed = await seedProject(app.admin, {
    'play.yml': [
      '- hosts: all',
      '  gather_facts: false',
      '  tasks:',
      '    - ansible.builtin.debug:',
      '        msg: "got {{ word }}"',
      '',
    ].join('\n'),
  });
  const template = await seed.template({ survey_vars: [{ name: 'word', title: 'Word' }] });
  const word = "{{ lookup('pipe', 'echo evaluated-$((6*7))') }}";
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    environment: JSON.stringify({ word }),
  });
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  const log = await logText(app.admin, task);
  expect(log).toContain('got {{ lookup');
  expect(log).not.toContain('evaluated-42');
}, 30_000);
