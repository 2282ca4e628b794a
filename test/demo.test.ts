// Slow: each template of the demo runs.
// The demo project with the real Ansible: each of its templates succeeds.

import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { folder, seedProject } from './helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from './helpers/tasks.ts';

const answers: Record<string, string> = {
  '3. Announce a train': JSON.stringify({ destination: 'Harbour', platform: '4', delay: 7 }),
};

test('each template of the demo project succeeds, with the real program', async () => {
  const path = String(process.env['PATH']);
  const dataDir = await folder();
  const localRepositories = [`${dataDir}/repositories`];
  const app = await testApp({ runner: true, config: { path, dataDir, localRepositories } });
  const project = await app.admin.call(projects.create, { body: { name: 'Demo', demo: true } });
  const params = { project_id: project.id };
  const list = await app.admin.call(templates.list, { params });
  expect(list.length).toBeGreaterThanOrEqual(3);
  // Each key of the project can be told from the others: one of them is for what needs none.
  const keyTypes = (await app.admin.call(keys.list, { params })).map(({ type }) => type);
  expect(keyTypes.toSorted()).toEqual(['login_password', 'none']);
  const [schedule] = await app.admin.call(schedules.list, { params });
  expect(schedule).toMatchObject({ tpl_name: '2. Look at the server', active: false });
  const logs: string[] = [];
  let built: Task | null = null;
  for (const template of list) {
    const task = await launch(app.admin, project.id, {
      template_id: template.id,
      environment: answers[template.name] ?? '{}',
      build_task_id: template.type === 'deploy' ? (built?.id ?? null) : null,
    });
    if (template.requires_confirmation) await confirmed(app, task);
    const finished = await untilFinished(app.admin, task);
    const { status, commit_message: message } = finished;
    if (template.type === 'build') built = finished;
    const log = await logText(app.admin, task);
    expect([template.name, status, log]).toEqual([template.name, 'success', log]);
    expect(message).toBe('Add the demo playbooks');
    logs.push(log);
  }
  expect(logs.join('\n')).toContain('leaves from platform 4');
  expect(logs.join('\n')).toContain('It is late by 7 minutes');
  expect(logs.join('\n')).toContain('The code has 16 characters and begins with amber');
  expect(logs.join('\n')).not.toContain('demo-vault-password');
  expect(logs.join('\n')).toContain('Timetable 1.0.0 hangs at localhost');
});

async function confirmed(app: TestApp, task: Task): Promise<void> {
  await untilStatus(app.admin, task, 'waiting_confirmation');
  const params = { project_id: task.project_id, task_id: task.id };
  await app.admin.call(tasks.confirm, { params });
}

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
});
