// The checks that need the database name all wrong fields of a body in one answer, too.

import { expect, test } from 'vitest';
import { integrations } from '#shared/api/integrations.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { schedules } from '#shared/api/schedules.ts';
import { templates } from '#shared/api/templates.ts';
import { tokens } from '#shared/api/tokens.ts';
import { testApp } from './helpers/app.ts';
import { seedProject } from './helpers/seed.ts';

const none = 999_999;

test('a body is refused for everything that the server finds wrong with it', async () => {
  const app = await testApp({ config: { localRepositories: [] } });
  const { projectId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  const { id: noPassword } = await app.admin.call(keys.create, {
    params,
    body: { name: 'Without a secret', type: 'none' },
  });
  const named = { name: 'x', template_id: none };
  const { admin } = app;
  const answers = [
    await admin.ask(templates.create, {
      params,
      body: {
        name: 'x',
        app: 'unknown',
        playbook: 'x.yml',
        repository_id: none,
        view_id: none,
        environment_ids: [1, 1],
      },
    }),
    await admin.ask(schedules.create, {
      params,
      body: { ...named, cron_format: 'x', repository_id: none },
    }),
    await admin.ask(integrations.create, {
      params,
      body: { ...named, auth_secret_id: noPassword },
    }),
    await admin.ask(repositories.create, {
      params,
      body: {
        name: 'x',
        git_url: '/etc',
        ssh_key_id: none,
        git_branch: 'main',
        status_key_id: noPassword,
      },
    }),
    await admin.ask(tokens.create, {
      body: { name: 'x', scope: 'run', project_id: none, expires: '2001-01-01T00:00:00.000Z' },
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  const fieldsOf = ({ body }: (typeof answers)[number]) =>
    (body as { fields?: { path: string; code: string }[] }).fields?.map(({ path }) => path);
  expect(answers.map(fieldsOf)).toEqual([
    ['app', 'environment_ids.1', 'repository_id', 'view_id'],
    ['cron_format', 'template_id', 'repository_id'],
    ['template_id', 'auth_secret_id'],
    ['git_url', 'ssh_key_id', 'status_key_id'],
    ['expires', 'project_id'],
  ]);
});
