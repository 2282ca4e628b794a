// Slow: runners are started, cut off and lost.
// Remote runners, which have no database, with a real server that they ask over HTTP.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { events } from '#shared/api/events.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { runners } from '#shared/api/runners.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { openSealed } from '../../src/node/crypto/seal.ts';
import { LossWatch } from '../../src/server/runner-api/loss-watch.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { cutLine } from '../helpers/cut-line.ts';
import { remoteRunner } from '../helpers/remote-runner.ts';
import { publicKey } from '../helpers/runner-caller.ts';
import { folder, seedProject } from '../helpers/seed.ts';
import { launch, logText, readTask, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

const { register, poll, secrets: readSecrets, report, log: appendLog } = runnerApiEndpoints;

/**
 * Starts a server that runs no tasks itself; returns it with the address at which runners reach it.
 */
async function serve(): Promise<{ app: TestApp; address: string }> {
  const app = await testApp({ runner: true, config: { role: 'web' } });
  return { app, address: await app.listen() };
}

const stop = (app: TestApp, { project_id, id }: Task, force = false) =>
  app.admin.call(tasks.stop, { params: { project_id, task_id: id }, body: { force } });

test('a task runs where the database is not, with its keys and secrets, and its log arrives', async () => {
  const { app, address } = await serve();
  const script = 'ssh-add -l; echo "secrets of ${#API_KEY} and ${#token}: $token"\n';
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const params = { project_id: seed.projectId };
  const file = join(await folder(), 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'far', '-f', file]);
  const ssh = { login: '', private_key: await readFile(file, 'utf8') };
  const key = await app.admin.call(keys.create, { params, body: { name: 'S', type: 'ssh', ssh } });
  const { id: inventory_id } = await app.admin.call(inventories.create, {
    params,
    body: { name: 'I', type: 'static', inventory: 'one\n', ssh_key_id: key.id },
  });
  const secrets = [
    { operation: 'create' as const, type: 'env' as const, name: 'API_KEY', secret: 'twelve chars' },
  ];
  const { id: environment_id } = await app.admin.call(environments.create, {
    params,
    body: { name: 'E', secrets },
  });
  const template = await seed.template({
    app: 'bash',
    inventory_id,
    environment_id,
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const body = { template_id: template.id, secret: '{"token": "canary-4711"}' };
  const task = await launch(app.admin, seed.projectId, body);
  expect((await readTask(app.admin, task)).status).toBe('waiting');
  const remote = await remoteRunner(app.admin, address);
  const done = await untilFinished(app.admin, task);
  const log = await logText(app.admin, task);
  expect([done.status, log]).toEqual(['success', log]);
  expect([done.runner_name, log]).toEqual(['Far away', expect.stringContaining('(ED25519)')]);
  expect(log).toContain('secrets of 12 and 11: ***');
  const [shown] = (await app.admin.call(runners.list, {})).filter(({ id }) => id === remote.id);
  expect(shown).toMatchObject({ name: 'Far away', remote: true, state: 'ready', active: true });
  const codes = (await app.admin.call(events.list, {})).map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['runner.created', 'runner.registered']));
  await remote.close();
  const [gone] = (await app.admin.call(runners.list, {})).filter(({ id }) => id === remote.id);
  expect(gone).toMatchObject({ state: 'stopped' });
});

test('an interrupted connection loses no line of a log and doubles none', async () => {
  const { app, address } = await serve();
  const line = await cutLine(Number(new URL(address).port));
  const gate = join(await folder(), 'gate');
  const script = `for i in $(seq 1 60); do echo "line $i"; sleep 0.02; done
until [ -e ${gate} ]; do sleep 0.05; done
for i in $(seq 61 300); do echo "line $i"; done
touch ${gate}.printed
`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  await remoteRunner(app.admin, `http://127.0.0.1:${line.port}`);
  const { id } = await seed.template({ app: 'bash' });
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  await until(async () => (await logText(app.admin, task)).includes('line 20'));
  line.cut();
  await writeFile(gate, '');
  await until(() => existsSync(`${gate}.printed`));
  expect((await readTask(app.admin, task)).status).toBe('running');
  line.mend();
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  const lines = (await logText(app.admin, task))
    .split('\n')
    .filter((one) => one.startsWith('line'));
  expect(lines).toEqual(Array.from({ length: 300 }, (_, index) => `line ${index + 1}`));
});

test('a runner that is started again goes on with its task', async () => {
  const { app, address } = await serve();
  const gate = join(await folder(), 'gate');
  const script = `echo begun >> ${gate}.starts; echo first; until [ -e ${gate} ]; do sleep 0.05; done; echo last\n`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const remote = await remoteRunner(app.admin, address);
  const { id } = await seed.template({ app: 'bash' });
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  await until(async () => (await logText(app.admin, task)).includes('first'));
  await remote.close();
  await remote.again();
  await writeFile(gate, '');
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  expect(await logText(app.admin, task)).toMatch(/first\nlast$/);
  expect(await readFile(`${gate}.starts`, 'utf8')).toBe('begun\n');
});

test('the task of a runner that is lost fails, is tried again elsewhere, and ends there', async () => {
  const { app, address } = await serve();
  const trace = join(await folder(), 'trace');
  const script = `echo "begun $$" >> ${trace}; echo begun
if [ $(wc -l < ${trace}) = 1 ]; then for i in $(seq 1 600); do echo . >> ${trace}.dots; sleep 0.1; done; fi
`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const remote = await remoteRunner(app.admin, address, { name: 'Lost' });
  const { id } = await seed.template({ app: 'bash', retries: 1, retry_delay_s: 1 });
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  await until(async () => (await logText(app.admin, task)).includes('begun'));
  await remote.close();
  // That of the server began before there was a runner, and waits for a minute.
  const watch = new LossWatch(app.ctx, { remote: 1500 });
  onTestFinished(() => watch.loop.close());
  watch.loop.start();
  const lost = await untilFinished(app.admin, task);
  expect([lost.status, await logText(app.admin, task)]).toEqual([
    'error',
    expect.stringMatching(/The server Lost that ran this task was lost/),
  ]);
  await remoteRunner(app.admin, address, { name: 'Present' });
  const second = await until(async () => {
    const all = await app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
    return all.find(({ attempt, status }) => attempt === 2 && status === 'success');
  });
  expect(await logText(app.admin, second)).toContain('begun');
  // When the runner is back, it ends what it still runs.
  await remote.again();
  const dots = () => readFile(`${trace}.dots`, 'utf8');
  const before = await dots();
  const back = Date.now();
  await until(() => Date.now() - back > 500);
  expect(await dots()).toBe(before);
  expect(await logText(app.admin, task)).toMatch(/was lost, so its result is unknown\.$/);
});

test('people stop a task there, gently and by force', async () => {
  const { app, address } = await serve();
  const script = `trap 'echo gently' TERM; echo begun; for i in $(seq 1 600); do sleep 0.1; done
`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  await remoteRunner(app.admin, address);
  const { id } = await seed.template({ app: 'bash' });
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  await until(async () => (await logText(app.admin, task)).includes('begun'));
  await stop(app, task);
  await until(async () => (await logText(app.admin, task)).includes('gently'));
  expect((await readTask(app.admin, task)).status).toBe('stopping');
  await stop(app, task, true);
  expect((await untilFinished(app.admin, task, 8)).status).toBe('stopped');
});

test('a key without a secret ends the task on the runner, and the log says why', async () => {
  const { app, address } = await serve();
  const seed = await seedProject(app.admin);
  const params = { project_id: seed.projectId };
  const body = {
    name: 'S',
    type: 'login_password' as const,
    login_password: { login: 'a', password: 'b' },
  };
  const key = await app.admin.call(keys.create, { params, body });
  await app.ctx.db.updateTable('keys').set({ secret: null }).where('id', '=', key.id).execute();
  const { id: inventory_id } = await app.admin.call(inventories.create, {
    params,
    body: { name: 'I', type: 'static', inventory: 'one\n', ssh_key_id: key.id },
  });
  await remoteRunner(app.admin, address);
  const { id } = await seed.template({ app: 'bash', inventory_id });
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain('The key "S" has no secret yet');
});

test('administrators give a runner its tags, which say what comes to it', async () => {
  const { app, address } = await serve();
  const remote = await remoteRunner(app.admin, address, { tags: ['dmz'] });
  const seed = await seedProject(app.admin);
  const plain = await seed.template({ app: 'bash' });
  const apart = await seed.template({ app: 'bash', runner_tags: ['dmz'] });
  const start = ({ id }: { id: number }) => launch(app.admin, seed.projectId, { template_id: id });
  const waiting = await start(plain);
  expect((await untilFinished(app.admin, await start(apart))).status).toBe('success');
  const { status, waiting_for: reason } = await readTask(app.admin, waiting);
  expect([status, reason?.reason, reason?.tags]).toEqual(['waiting', 'runner', []]);
  const params = { runner_id: remote.id };
  await app.admin.call(runners.update, { params, body: { tags: [] } });
  expect((await untilFinished(app.admin, waiting)).status).toBe('success');
  const codes = (await app.admin.call(events.list, {})).map(({ code }) => code);
  expect(codes).toContain('runner.tagged');
});

test('a token lets one runner in, once, and only for an hour', async () => {
  const { app } = await serve();
  const made = await app.admin.call(runners.create, { body: { name: 'Two' } });
  const registration = { version: '1', max_parallel_tasks: 0, public_key: publicKey };
  const body = { token: made.token, ...registration };
  // With this key, anybody could open what is sealed for the runner. The token stays valid.
  const flat = { ...body, public_key: { ...publicKey, x: 'A'.repeat(43) } };
  const refused = await app.nobody.ask(register, { body: flat });
  expect([refused.status, refused.body.fields?.[0]?.path]).toEqual([400, 'public_key']);
  expect((await app.nobody.ask(register, { body })).status).toBe(201);
  const twice = await app.nobody.ask(register, { body });
  expect([twice.status, twice.body.code]).toEqual([403, 'runner.token_wrong']);

  const late = await app.admin.call(runners.renewToken, { params: { runner_id: made.id } });
  app.clock.advance(61 * 60 * 1000);
  const expired = { body: { ...body, token: late.token } };
  expect((await app.nobody.ask(register, expired)).body.code).toBe('runner.token_wrong');
});

test('secrets are sealed to the runner that holds the lease, and given to no other', async () => {
  const { app } = await serve();
  const seed = await seedProject(app.admin);
  const { id } = await seed.template({
    app: 'bash',
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const enter = async (name: string) => {
    const { token } = await app.admin.call(runners.create, { body: { name } });
    const pair = await crypto.subtle.generateKey('X25519', true, ['deriveBits']);
    const { x = '' } = await crypto.subtle.exportKey('jwk', (pair as CryptoKeyPair).publicKey);
    const public_key = { kty: 'OKP' as const, crv: 'X25519' as const, x };
    const body = { token, version: '1', max_parallel_tasks: 1, public_key };
    const { credential } = await app.nobody.call(register, { body });
    const key = await crypto.subtle.exportKey('jwk', (pair as CryptoKeyPair).privateKey);
    return { caller: app.withToken(credential), key };
  };
  const [one, other] = [await enter('One'), await enter('Other')];
  const body = { template_id: id, secret: '{"token": "canary-4711"}' };
  const task = await launch(app.admin, seed.projectId, body);
  const news = {
    session: 'a',
    is_new: true,
    is_leaving: false,
    version: '1',
    max_parallel_tasks: 1,
    load: 0,
    held: [],
    wait: 5,
  };
  const heard = await until(async () => {
    const answer = await one.caller.call(poll, { body: news });
    return answer.tasks[0];
  });
  expect(heard).toMatchObject({ id: task.id, status: 'starting' });
  expect(JSON.stringify(heard)).not.toContain('canary');
  const params = { task_id: task.id };
  const mine = { params, body: { lease: heard.lease } };
  const { sealed } = await one.caller.call(readSecrets, mine);
  const lease = { task: task.id, lease: heard.lease };
  for (const given of [sealed, heard.sealed ?? '']) {
    expect(given).not.toContain('canary');
    const opened = await openSealed(one.key, lease, given);
    expect(opened).toMatchObject({ answers: { token: 'canary-4711' } });
  }
  await expect(openSealed(other.key, lease, sealed)).rejects.toThrow('decryption operation failed');
  await expect(openSealed(one.key, { ...lease, lease: 99 }, sealed)).rejects.toThrow('another');
  for (const wrong of [
    () => other.caller.ask(readSecrets, mine),
    () => one.caller.ask(readSecrets, { params, body: { lease: heard.lease + 1 } }),
    () =>
      other.caller.ask(report, {
        params,
        body: { lease: heard.lease, report: { kind: 'end', to: 'success' } },
      }),
  ]) {
    expect(await wrong()).toMatchObject({ status: 409, body: { code: 'runner.task_taken' } });
  }
  // The credential of a person opens no endpoint of runners, and that of a runner opens no other.
  expect((await app.admin.ask(readSecrets, mine)).body.code).toBe('runner.credential');
  expect((await one.caller.ask(runners.list, {})).status).toBe(401);
  // Lines that are stored already are ignored; a gap is refused.
  const time = '2026-01-01T00:00:00.000Z';
  const log = (from: number, outputs: string[]) =>
    one.caller.ask(appendLog, {
      params,
      body: { lease: heard.lease, from, lines: [{ time, outputs }], spool_offset: 0 },
    });
  expect((await log(1, ['a', 'b'])).body.total).toBe(2);
  expect((await log(1, ['a', 'b', 'c'])).body.total).toBe(3);
  expect((await log(5, ['e'])).body.code).toBe('runner.lines_missing');
  expect(await logText(app.admin, task)).toBe('a\nb\nc');
  const replaced = { ...news, is_new: false, session: 'b', wait: 0 };
  const { body: refused } = await one.caller.ask(poll, { body: replaced });
  expect(refused.code).toBe('runner.replaced');
});
