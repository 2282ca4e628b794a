// Release on PostgreSQL: it is about the bodies of requests, and about no statement.
// Which branch or commit a request chooses, and what is refused.

import { expect, test } from 'vitest';
import { deliveries } from '#shared/api/deliveries.ts';
import { integrations } from '#shared/api/integrations.ts';
import { extractValues } from '#shared/api/matchers.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { makeReceiver } from '../../../../test/helpers/integrations.ts';

const commit = 'ab'.repeat(20);
// The parts that matter of what the hosts document for a push and for a request to merge.
const bodies = {
  'a push of GitHub': [{ ref: 'refs/heads/dev', after: commit }, 'ref', 'after'],
  'a pull request of GitHub': [
    { pull_request: { head: { ref: 'dev', sha: commit } } },
    'pull_request.head.ref',
    'pull_request.head.sha',
  ],
  'a push of GitLab': [{ ref: 'refs/heads/dev', checkout_sha: commit }, 'ref', 'checkout_sha'],
  'a merge request of GitLab': [
    { object_attributes: { source_branch: 'dev', last_commit: { id: commit } } },
    'object_attributes.source_branch',
    'object_attributes.last_commit.id',
  ],
  'a push of Gitea and Forgejo': [{ ref: 'refs/heads/dev', after: commit }, 'ref', 'after'],
  'a pull request of Gitea and Forgejo': [
    { pull_request: { head: { ref: 'dev', sha: commit } } },
    'pull_request.head.ref',
    'pull_request.head.sha',
  ],
} satisfies Record<string, [body: object, branch: string, commit: string]>;
const toBranch = { variable_type: 'task', variable: 'git_branch' } as const;

async function free(allowed = true) {
  const { app, seed, params } = await appWithProject(null);
  const { id: template_id } = await seed.template({ allow_override_branch_in_task: allowed });
  const receiver = await makeReceiver(app.admin, seed.projectId, { template_id });
  const launched = () => app.admin.call(tasks.list, { params });
  return { app, ...receiver, params, launched };
}

test.each(Object.entries(bodies))('%s chooses what runs', async (_name, [body, branch, hash]) => {
  const { extract, send: post, launched, newest } = await free();
  await extract({ ...toBranch, key: branch });
  await post({ body });
  expect((await launched())[0]?.git_branch).toMatch(/^(refs\/heads\/)?dev$/);
  await extract({ ...toBranch, key: hash });
  await post({ body });
  expect((await launched())[0]?.git_branch).toBe(commit);
  expect((await newest()).reason.code).toBe('delivery.matched');
});

test.each([
  [{ ref: 'main~3' }, 'failed', 'field.git_reference'],
  [{ ref: '--upload-pack=x' }, 'failed', 'field.git_reference'],
  [{ ref: 'refs/pull/7/merge' }, 'failed', 'field.git_reference'],
  [{ ref: { deep: 1 } }, 'failed', 'field.git_reference'],
  [{ ref: 'x'.repeat(300) }, 'failed', 'field.git_reference'],
  [{ ref: '0'.repeat(40) }, 'not_matched', 'delivery.branch_deleted'],
  [{ ref: null }, 'not_matched', 'delivery.branch_missing'],
  [{ ref: ' ' }, 'not_matched', 'delivery.branch_missing'],
  [{}, 'not_matched', 'delivery.branch_missing'],
])('%j launches nothing, because it names no branch or commit', async (body, result, code) => {
  const { app, params, extract, send: post, launched, newest, integration } = await free();
  await extract(toBranch);
  await post({ body });
  expect(await newest()).toMatchObject({ result, reason: { code } });
  expect(await launched()).toEqual([]);
  const trial = await app.admin.call(deliveries.try, {
    params: { ...params, integration_id: integration.id },
    body: { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  });
  expect(trial.matches).toBe(result === 'failed');
});

test('is refused where the template does not allow another one', async () => {
  const { extract, send: post, launched, newest } = await free(false);
  await extract(toBranch);
  await post({ body: { ref: 'refs/heads/dev' } });
  expect(await newest()).toMatchObject({
    result: 'failed',
    reason: { code: 'task.field_not_allowed', params: { field: 'git_branch' } },
  });
  expect(await launched()).toEqual([]);
});

test('is no variable, and goes before the branch of the integration', async () => {
  const { app, params, extract, integration, send: post, launched } = await free();
  const target = { ...params, integration_id: integration.id };
  const { name, template_id } = integration;
  const task_params = { git_branch: 'stable' };
  await app.admin.call(integrations.update, {
    params: target,
    body: { name, template_id, task_params },
  });
  await post({ body: { ref: 'dev' } });
  expect((await launched())[0]?.git_branch).toBe('stable');
  await extract(toBranch);
  await post({ body: { ref: 'dev' } });
  const [task] = await launched();
  expect([task?.git_branch, task?.environment]).toEqual(['dev', '{}']);
});

test('is the only launch option that a request can set', async () => {
  const { app, params, integration } = await free();
  const answer = await app.admin.ask(extractValues.create, {
    params: { ...params, integration_id: integration.id },
    body: {
      name: 'Limit',
      value_source: 'body',
      body_data_type: 'json',
      key: 'ref',
      variable_type: 'task',
      variable: 'limit',
    },
  });
  expect([answer.status, answer.body.fields]).toMatchObject([
    400,
    [{ path: 'variable', code: 'integration.launch_option' }],
  ]);
});

test('stays what it is when a client changes the value that does not know of it', async () => {
  const { app, params, integration, extract, send: post, launched } = await free();
  const value_id = await extract(toBranch);
  await app.admin.call(extractValues.update, {
    params: { ...params, integration_id: integration.id, value_id },
    body: {
      name: 'Branch',
      value_source: 'body',
      body_data_type: 'json',
      key: 'branch',
      variable: 'git_branch',
    },
  });
  await post({ body: { branch: 'dev' } });
  expect((await launched())[0]?.git_branch).toBe('dev');
});
