// Slow: each template of the demo runs, and each node of its workflow.
// Only on SQLite: all that the demo uses is tested on both engines by itself.
// The demo project with the real Ansible: each of its templates succeeds, and its workflow takes
// each of its ways.

import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { repositories } from '#shared/api/repositories.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { workflowRuns, type WorkflowRun } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { commitFiles, folder, seedProject } from './helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

const answers: Record<string, string> = {
  '3. Announce a train': JSON.stringify({ destination: 'Harbour', platform: '4', minutes: 7 }),
};

async function demoProject(): Promise<{ app: TestApp; params: { project_id: number } }> {
  const path = String(process.env['PATH']);
  const dataDir = await folder();
  const localRepositories = [`${dataDir}/repositories`];
  const app = await testApp({ runner: true, config: { path, dataDir, localRepositories } });
  const { id } = await app.admin.call(projects.create, { body: { name: 'Demo', demo: true } });
  return { app, params: { project_id: id } };
}

test('each template of the demo project succeeds, with the real program', async () => {
  const { app, params } = await demoProject();
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
    const task = await launch(app.admin, params.project_id, {
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
  expect(logs.join('\n')).not.toContain('WARNING');
  expect(logs.join('\n')).toContain('Timetable 1.0.0 hangs at localhost');
});

async function confirmed(app: TestApp, task: Task): Promise<void> {
  await untilStatus(app.admin, task, 'waiting_confirmation');
  const params = { project_id: task.project_id, task_id: task.id };
  await app.admin.call(tasks.confirm, { params });
}

test('the workflow of the demo asks, and takes another way if it is rejected or fails', async () => {
  const { app, params } = await demoProject();
  const [listed, ...others] = await app.admin.call(workflows.list, { params });
  expect([listed?.name, others]).toEqual(['8. Change the timetable', []]);
  const workflow = { ...params, workflow_id: listed?.id ?? 0 };
  const run = async (approve: boolean): Promise<Record<string, string>> => {
    // A new user is alone: whoever launches it approves it.
    const launched = await app.admin.call(workflows.launch, { params: workflow, body: {} });
    const of = { ...params, run_id: launched.id };
    const reached = (isReached: (now: WorkflowRun) => boolean): Promise<WorkflowRun> =>
      until(async () => {
        const now = await app.admin.call(workflowRuns.one, { params: of });
        return isReached(now) && now;
      });
    await reached(({ waits_for: names, end }) => names.length > 0 || end !== null);
    await app.admin.call(workflowRuns.decide, {
      params: { ...of, node: 'ask' },
      body: { approve },
    });
    const ended = await reached(({ end }) => end !== null);
    const states = ended.nodes.map(({ key, state }) => [key, state]);
    for (const { key, task_id: id } of ended.nodes) {
      if (id === null) continue;
      const log = await logText(app.admin, { ...params, id } as Task);
      states.push([`${key} says`, log.match(/(?<=msg": ")[^"]*/)?.[0] ?? '']);
    }
    return { ...Object.fromEntries(states), run: ended.status };
  };
  const before = { build: 'success', look: 'success' };
  expect(await run(true)).toMatchObject({
    ...before,
    ask: 'success',
    deploy: 'success',
    'deploy says': 'Timetable 1.0.0 hangs at localhost.',
    announce: 'skipped',
    run: 'success',
  });
  const announced = {
    announce: 'success',
    'announce says': 'The train to Harbour leaves from platform 4.',
    run: 'success',
  };
  expect(await run(false)).toMatchObject({
    ...before,
    ask: 'failure',
    deploy: 'skipped',
    ...announced,
  });
  const [repository] = await app.admin.call(repositories.list, { params });
  await commitFiles(repository?.git_url ?? '', { 'deploy.yml': failing });
  expect(await run(true)).toMatchObject({
    ...before,
    ask: 'success',
    deploy: 'failure',
    'deploy says': 'The wall is gone',
    ...announced,
  });
});

const failing = [
  '- hosts: all',
  '  gather_facts: false',
  '  tasks:',
  '    - ansible.builtin.fail:',
  '        msg: The wall is gone',
  '',
].join('\n');

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
