import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aliases, integrations } from '#shared/api/integrations.ts';
import { keys } from '#shared/api/keys.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { aliasOf, makeReceiver, send } from '../../../../test/helpers/integrations.ts';

const password = 'the secret';

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const { id: template_id } = await seed.template();
  const login_password = { login: 'hook', password };
  const key = await app.admin.call(keys.create, {
    params,
    body: { name: 'Hook', type: 'login_password', login_password },
  });
  const receiver = (fields = {}) =>
    makeReceiver(app.admin, seed.projectId, { template_id, ...fields });
  const launched = () => app.admin.call(tasks.list, { params });
  const ofProject = async () => aliasOf(await app.admin.call(aliases.addToProject, { params }));
  return { app, seed, params, template_id, key, receiver, launched, ofProject };
}

const json = { accept: 'application/json' };
const codeOf = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  (answer.json() as ErrorBody).code,
];

describe('a request', () => {
  test('launches the template, as the integration and nobody else', async () => {
    const { receiver, launched } = await start();
    const {
      integration,
      send: post,
      newest,
    } = await receiver({
      task_params: { message: 'Pushed', diff: true },
    });
    const answer = await post({ body: { ref: 'main' } });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    const [task] = await launched();
    expect(task).toMatchObject({
      integration_id: integration.id,
      user_id: null,
      user_name: null,
      message: 'Pushed',
      diff: true,
      status: 'waiting',
    });
    expect(await newest()).toMatchObject({
      integration_id: integration.id,
      method: 'POST',
      ip: '127.0.0.1',
      result: 'started',
      reason: { code: 'delivery.matched', params: {}, text: 'The request matches.' },
      task_id: task?.id,
      replay_of: null,
    });
  });

  test('tells the sender what came of it, if asked for JSON', async () => {
    const { receiver, launched } = await start();
    const { integration, send: post, match } = await receiver();
    await match({ name: 'Main only' });
    const matched = async (body: object) =>
      (await post({ body, headers: json })).json<{ matched: object[] }>().matched;
    const about = { integration_id: integration.id, name: integration.name };
    expect(await matched({ ref: 'dev' })).toEqual([
      {
        ...about,
        task_id: null,
        workflow_run_id: null,
        result: 'not_matched',
        reason: 'Matcher "Main only": ref is "dev", not "main".',
      },
    ]);
    expect(await matched({ ref: 'main' })).toEqual([
      {
        ...about,
        task_id: (await launched())[0]?.id,
        workflow_run_id: null,
        result: 'started',
        reason: 'The request matches.',
      },
    ]);
  });

  test('reaches all searchable integrations of the project, each with the whole body', async () => {
    const { app, receiver, ofProject, launched } = await start();
    const alias = await ofProject();
    const [one, two, three] = [
      await receiver({ searchable: true }),
      await receiver({ searchable: true }),
      await receiver(),
    ];
    await two.match({ value: 'other' });
    const answer = await send(app.admin, { alias, body: { ref: 'main' }, headers: json });
    const { matched } = answer.json<{ matched: { integration_id: number; result: string }[] }>();
    expect(matched.map(({ integration_id, result }) => [integration_id, result])).toEqual([
      [one.integration.id, 'started'],
      [two.integration.id, 'not_matched'],
    ]);
    expect(await three.deliveries()).toEqual([]);
    expect(await launched()).toHaveLength(1);
    // The failure of one integration does not affect the others.
    await app.admin.call(integrations.update, {
      params: one.params,
      body: { name: 'One', template_id: null, searchable: true },
    });
    expect((await send(app.admin, { alias, body: { ref: 'other' } })).statusCode).toBe(204);
    expect((await one.newest()).reason.code).toBe('delivery.no_template');
    expect((await two.newest()).result).toBe('started');
  });

  test('is for those who know the secret', async () => {
    const { receiver, key, launched } = await start();
    const { send: post, newest } = await receiver({
      auth_method: 'github',
      auth_secret_id: key.id,
    });
    const body = JSON.stringify({ ref: 'größe' });
    const sign = (secret: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
    const headers = { 'content-type': 'application/json' };
    const refused = await post({ body, headers: { ...headers, ...sign('a guess') } });
    expect(codeOf(refused)).toEqual([401, 'webhook.unauthorized']);
    expect(await newest()).toMatchObject({
      result: 'unauthorized',
      reason: { code: 'delivery.credentials_wrong', params: { header: 'X-Hub-Signature-256' } },
    });
    expect(codeOf(await post({ body, headers }))).toEqual([401, 'webhook.unauthorized']);
    expect(await launched()).toEqual([]);
    const answer = await post({ body, headers: { ...headers, ...sign(password) } });
    expect([answer.statusCode, (await launched()).length]).toEqual([204, 1]);
  });

  test('starts a task once, however often and at once it is sent', async () => {
    const { receiver, launched } = await start();
    const { send: post, deliveries } = await receiver();
    const headers = { 'x-github-delivery': 'f5a1' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post({ body: { ref: 'main' }, headers })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 409, 409, 409, 409]);
    expect(await launched()).toHaveLength(1);
    const results = (await deliveries()).map(({ result }) => result);
    expect(results.toSorted()).toEqual([...Array(4).fill('duplicate'), 'started']);
    await post({ body: { ref: 'main' }, headers: { 'x-github-delivery': 'f5a2' } });
    await post({ body: { ref: 'main' } });
    await post({ body: { ref: 'main' } });
    expect(await launched()).toHaveLength(4);
  });

  test('that the template does not allow is told, and starts nothing', async () => {
    const { app, seed, receiver, launched } = await start();
    const { send: post, newest, integration } = await receiver({ task_params: { limit: 'web' } });
    expect((await post()).statusCode).toBe(204);
    expect(await newest()).toMatchObject({
      result: 'failed',
      reason: { code: 'task.field_not_allowed', params: { field: 'limit' } },
    });
    expect((await newest()).reason.text).toContain('"limit"');
    const survey_vars = [{ name: 'count', title: 'Count', type: 'int' as const, required: true }];
    const { id: template_id } = await seed.template({ survey_vars });
    const params = { project_id: seed.projectId, integration_id: integration.id };
    const body = { name: 'Other', template_id, task_params: null };
    await app.admin.call(integrations.update, { params, body });
    await post();
    expect((await newest()).reason).toEqual({
      code: 'survey.answer_required',
      params: { title: 'Count' },
      text: 'Count is required',
    });
    expect(await launched()).toEqual([]);
  });
});

test('a branch that was saved before names had to be exact starts nothing, and is told', async () => {
  const { app, receiver, launched } = await start();
  const {
    integration,
    send: post,
    newest,
  } = await receiver({
    task_params: { git_branch: 'main' },
  });
  const { task_params: text } = await app.ctx.db
    .selectFrom('integrations')
    .select('task_params')
    .where('id', '=', integration.id)
    .executeTakeFirstOrThrow();
  const task_params = String(text).replace('"main"', '"main~1"');
  await app.ctx.db.updateTable('integrations').set({ task_params }).execute();
  expect((await post({ body: {} })).statusCode).toBe(204);
  expect(await launched()).toEqual([]);
  expect(await newest()).toMatchObject({
    result: 'failed',
    reason: { code: 'field.git_reference' },
  });
});

test('extracted values answer the survey, and reach the run beside it', async () => {
  const { app, seed, receiver, launched } = await start();
  const { id: template_id } = await seed.template({
    survey_vars: [
      { name: 'count', title: 'Count', type: 'int' },
      { name: 'token', title: 'Token', type: 'secret' },
    ],
  });
  const { send: post, extract, newest } = await receiver({ template_id });
  await extract({ key: 'n', variable: 'count' });
  await extract({ key: 'secret', variable: 'token' });
  await extract({ key: 'ref', variable: 'branch' });
  await extract({ key: 'none', variable: 'lost' });
  await post({ body: { n: 7, secret: 'canary', ref: '{{ 7*7 }}' } });
  const [task] = await launched();
  expect(JSON.parse(task?.environment ?? '')).toEqual({ count: 7, branch: '{{ 7*7 }}' });
  const row = await app.ctx.db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
  expect(row.secret).toMatch(/^v3:/);
  expect(JSON.stringify(row)).not.toContain('canary');
  expect((await newest()).reason).toMatchObject({
    code: 'delivery.values_missing',
    params: { names: 'lost' },
  });
  await post({ body: { n: 'many' } });
  expect((await newest()).reason.code).toBe('survey.answer_integer');
  await extract({ key: 'any', body_data_type: 'string', variable: 'whole' });
  await post({ body: 'x'.repeat(300_000) });
  expect((await newest()).reason).toMatchObject({
    code: 'delivery.values_too_large',
    params: { limit: 262_144 },
  });
  expect(await launched()).toHaveLength(1);
});

test('an address that is not there, or no more, is 404', async () => {
  const { app, receiver } = await start();
  const { alias, send: post, params } = await receiver();
  for (const wrong of ['x', alias.slice(1), alias.toUpperCase(), `${alias}0`, '%00', '__proto__']) {
    expect([wrong, ...codeOf(await post({ alias: wrong }))]).toEqual([
      wrong,
      404,
      'webhook.not_found',
    ]);
  }
  const [address] = await app.admin.call(aliases.list, { params });
  await app.admin.call(aliases.remove, { params: { ...params, alias_id: address?.id ?? 0 } });
  expect(codeOf(await post())).toEqual([404, 'webhook.not_found']);
});

test('a project without searchable integrations has nothing to do, and says so', async () => {
  const { app, receiver, ofProject, launched } = await start();
  await receiver();
  const answer = await send(app.admin, { alias: await ofProject(), headers: json });
  expect([answer.statusCode, answer.json()]).toEqual([200, { matched: [] }]);
  expect(await launched()).toEqual([]);
});

test('a sender learns nothing of integrations that do not let it in', async () => {
  const { app, receiver, key, ofProject } = await start();
  await receiver({ searchable: true });
  await receiver({
    searchable: true,
    auth_method: 'token',
    auth_secret_id: key.id,
    name: 'Hidden',
  });
  await receiver({ searchable: true, auth_method: 'gitlab', name: 'Without a key' });
  const alias = await ofProject();
  const answer = await send(app.admin, { alias, headers: json });
  expect(answer.json<{ matched: unknown[] }>().matched).toHaveLength(1);
  expect(answer.body).not.toMatch(/Hidden|Without/);
});

test('a key that is no password any more lets nobody in', async () => {
  const { app, params, receiver, key, launched } = await start();
  const { send: post, newest } = await receiver({ auth_method: 'token', auth_secret_id: key.id });
  const body = { name: 'Hook', type: 'none' as const, override_secret: true };
  await app.admin.call(keys.update, { params: { ...params, key_id: key.id }, body });
  for (const authorization of [password, 'Bearer ', '']) {
    expect((await post({ headers: { authorization } })).statusCode).toBe(401);
  }
  expect((await newest()).reason.code).toBe('delivery.key_missing');
  expect(await launched()).toEqual([]);
});
