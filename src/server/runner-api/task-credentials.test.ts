// A remote runner gives another process a credential for one of its tasks.

import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'jose';
import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { type PublicKey, runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { runners } from '#shared/api/runners.ts';
import { tasks } from '#shared/api/tasks.ts';
import { users } from '#shared/api/users.ts';
import type { Caller, TestApp } from '../../../test/helpers/app.ts';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { logOf } from '../../../test/helpers/kept-secrets.ts';
import {
  enterWithKey,
  giveTask,
  publicKey,
  runnerSamples,
} from '../../../test/helpers/runner-caller.ts';
import { launch } from '../../../test/helpers/tasks.ts';
import { openSealed } from '../../node/crypto/seal.ts';
import { delegateTask } from '../runners/remote-runners.ts';
import { readTaskCredential, toTaskCredential } from '../runners/task-credentials.ts';

const { delegate, task: readTask, secrets, report, log } = runnerApiEndpoints;

/** A runner with two tasks, and a process that has the credential of the first one. */
async function start() {
  const { app, seed } = await appWithProject(null);
  const survey_vars = [{ name: 'word', title: 'Word', type: 'secret' as const }];
  const template = await seed.template({ allow_parallel_tasks: true, survey_vars });
  const body = { template_id: template.id, secret: '{"word": "canary-of-an-answer"}' };
  const own = await launch(app.admin, seed.projectId, body);
  const other = await launch(app.admin, seed.projectId, body);
  const { credential, runnerId } = await enterWithKey(app);
  await giveTask(app, runnerId, own.id);
  await giveTask(app, runnerId, other.id);
  const runner = app.withToken(credential);
  const params = { task_id: own.id };
  const given = (await runner.call(delegate, { params, body: { lease: 1 } })).credential;
  return { app, seed, runner, runnerId, own, other, params, given, pod: app.withToken(given) };
}

const step = { kind: 'step' as const, step: 1, commands: ['bash play.yml'] };
const line = { time: '2026-01-01T00:00:00.000Z', outputs: ['a line'] };

/** The codes with which the requests about a task are refused; undefined: not refused. */
async function codesOf(caller: Caller, id: number, lease = 1) {
  const params = { task_id: id };
  const answers = [
    await caller.ask(readTask, { params, body: { lease } }),
    await caller.ask(secrets, { params, body: { lease, public_key: publicKey } }),
    await caller.ask(report, { params, body: { lease, report: step, more: [] } }),
    await caller.ask(log, { params, body: { lease, from: 1, lines: [line], spool_offset: 1 } }),
  ];
  return answers.map(({ body }) => body.code);
}

const four = (code?: string) => Array.from({ length: 4 }, () => code);

test('runs the task with it as the runner could', async () => {
  const { app, given, pod, own, params } = await start();
  const printed = logOf(app.ctx.log);
  const { task, time } = await pod.call(readTask, { params, body: { lease: 1 } });
  expect([task.id, task.lease, task.status, task.sealed]).toEqual([
    own.id,
    1,
    'running',
    undefined,
  ]);
  expect(Math.abs(Date.parse(time) - app.clock.now().getTime())).toBeLessThan(60_000);
  expect(await codesOf(pod, own.id)).toEqual(four());
  const shown = await app.admin.call(tasks.one, {
    params: { ...params, project_id: own.project_id },
  });
  expect(shown.commands).toEqual(step.commands);
  expect(given).toMatch(/^sbt_[\w-]{100,400}$/);
  const events = await app.ctx.db.selectFrom('events').select('params').execute();
  expect(printed() + JSON.stringify(events)).not.toContain(given);
});

test('seals the secrets to the key of the process', async () => {
  const { runner, pod, params, own } = await start();
  const pair = generateKeyPairSync('x25519');
  const public_key = pair.publicKey.export({ format: 'jwk' }) as PublicKey;
  const { sealed } = await pod.call(secrets, { params, body: { lease: 1, public_key } });
  const key = pair.privateKey.export({ format: 'jwk' }) as JWK;
  const opened = await openSealed(key, { task: own.id, lease: 1 }, sealed);
  expect(JSON.stringify(opened)).toContain('canary-of-an-answer');
  const fieldsOf = async (caller: Caller, change: object) =>
    (await caller.ask(secrets, { params, body: { lease: 1, ...change } })).body.fields;
  const flat = { public_key: { ...publicKey, x: 'A'.repeat(43) } };
  expect(await fieldsOf(pod, {})).toMatchObject([{ path: 'public_key', code: 'field.required' }]);
  for (const caller of [pod, runner]) {
    const fields = await fieldsOf(caller, flat);
    expect(fields).toMatchObject([{ path: 'public_key', code: 'field.invalid' }]);
  }
  expect(await fieldsOf(runner, {})).toBeUndefined();
});

test('is for no other task and no other lease, and not for a large body of them', async () => {
  const { app, runner, pod, own, other } = await start();
  expect(await codesOf(runner, other.id)).toEqual(four());
  expect(await codesOf(pod, other.id)).toEqual(four('runner.task_taken'));
  expect(await codesOf(pod, own.id, 2)).toEqual(four('runner.task_taken'));
  const sendLarge = async (id: number) => {
    const headers = { 'content-type': 'application/json' };
    const payload = `{"lease": 1, ${' '.repeat(100_000)}`;
    const url = `/api/runner/tasks/${id}/log`;
    return (await pod.raw({ method: 'PUT', url, headers, payload })).json<{ code: string }>().code;
  };
  expect(await sendLarge(other.id)).toBe('runner.task_taken');
  expect(await sendLarge(own.id)).toBe('request.malformed_json');
  // The runner was given the task again.
  await app.ctx.db.updateTable('tasks').set({ lease: 2 }).where('id', '=', own.id).execute();
  for (const lease of [1, 2]) {
    expect(await codesOf(pod, own.id, lease)).toEqual(four('runner.task_taken'));
  }
  expect(await sendLarge(own.id)).toBe('runner.task_taken');
});

test('ends with the task', async () => {
  const { app, pod, own } = await start();
  await app.ctx.db.updateTable('tasks').set({ status: 'success' }).execute();
  expect(await codesOf(pod, own.id)).toEqual(four('runner.task_taken'));
});

test('ends with the credential of the runner', async () => {
  const { app, runnerId, pod, own } = await start();
  const renewed = await app.admin.call(runners.renewToken, { params: { runner_id: runnerId } });
  expect(await codesOf(pod, own.id)).toEqual(four());
  const registration = { version: '1', max_parallel_tasks: 1, public_key: publicKey };
  const entered = await app.nobody.call(runnerApiEndpoints.register, {
    body: { token: renewed.token, ...registration },
  });
  expect(await codesOf(pod, own.id)).toEqual(four('runner.credential'));
  const runner = app.withToken(entered.credential);
  const given = await runner.call(delegate, { params: { task_id: own.id }, body: { lease: 1 } });
  const next = app.withToken(given.credential);
  expect(await codesOf(next, own.id)).toEqual(four());
  await app.admin.ask(runners.remove, { params: { runner_id: runnerId } });
  expect(await codesOf(next, own.id)).toEqual(four('runner.credential'));
});

test('opens nothing else', async () => {
  const { app, pod, params } = await start();
  const all = Object.entries<Endpoint>(runnerApiEndpoints);
  const ofRunner = all.filter(([, { permission }]) => permission === 'runner');
  expect(ofRunner.map(([name]) => name)).toEqual([
    'poll',
    'filterExisting',
    'reportInspection',
    'delegate',
  ]);
  for (const [name, endpoint] of ofRunner) {
    const body = runnerSamples[`runnerApi.${name}`] as never;
    const answer = await pod.ask(endpoint, { params: { ...params, look_id: 1 } as never, body });
    expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'runner.credential']);
  }
  expect((await pod.ask(users.current, {})).status).toBe(401);
  // A text that was sealed for another place is none, and neither is a changed one.
  expect(await texts(app)).toEqual([null, null, null, null, null]);
});

async function texts({ ctx }: TestApp) {
  const credential = { runner: 'a', task: { id: 1, lease: 1 } };
  const text = toTaskCredential(ctx, credential);
  expect(readTaskCredential(ctx, text)).toEqual(credential);
  const place = { column: 'a', row: 1, binding: 'another', olderBinding: 'another' };
  const elsewhere = Buffer.from(ctx.vault.seal('["a",1,1]', place)).toString('base64url');
  const changed = text.replace(/.{8}$/, 'AAAAAAAA');
  const long = toTaskCredential(ctx, { ...credential, runner: 'a'.repeat(2000) });
  return [`sbt_${elsewhere}`, changed, long, 'sbt_', text.slice(4)].map((one) =>
    readTaskCredential(ctx, one),
  );
}

test('only a remote runner gives one, and only for a task that it holds', async () => {
  const { app, runner, own } = await start();
  const wrong = { params: { task_id: own.id }, body: { lease: 2 } };
  expect((await runner.ask(delegate, wrong)).body.code).toBe('runner.task_taken');
  const beside = { id: null, name: 'Server', publicKey, isOwn: true };
  const refused = delegateTask(app.ctx, beside, { id: own.id, lease: 1 });
  await expect(refused).rejects.toMatchObject({ code: 'runner.credential' });
});
