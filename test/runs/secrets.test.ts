// The secrets of an environment, and answers, on their way from a person to the run.

import { describe, expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { type TestApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const secret = (type: 'var' | 'env', name: string, value: string) => ({
  type,
  name,
  secret: value,
  operation: 'create' as const,
});

const token = { name: 'token', title: 'Token', type: 'secret' as const };
const region = { name: 'region', title: 'Region' };

async function start(files: Record<string, string>, runner = true) {
  const { app, seed } = await appWithProject(files, { runner });
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
  return { status: ended.status, log: await logText(app.admin, task) };
}

describe('the secrets of an environment', () => {
  const fields = { secrets: [secret('var', 'token', 'canary-token')] };

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
});

describe('answers', () => {
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
