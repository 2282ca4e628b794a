// Only on PostgreSQL: several servers need a database that they can share.
// Slow: whole servers are started behind a proxy.
// Two web servers behind a proxy with the configuration of deploy/nginx.conf.

import { request } from 'node:https';
import { expect, test } from 'vitest';
import { session } from '#shared/api/session.ts';
import { scriptProject, startCluster } from '../helpers/cluster.ts';
import { connect, linesOf } from '../helpers/live.ts';
import { startNginx } from '../helpers/nginx.ts';
import { remoteCaller } from '../helpers/remote-caller.ts';
import { serverPassword } from '../helpers/server.ts';
import { launch, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

const trusting = { env: { SIGNALBOX_TRUSTED_PROXIES: '127.0.0.1' } };

/** Signs in from one address, and claims in a header to come from another. */
function signInFrom(localAddress: string, address: string): Promise<number | undefined> {
  const body = JSON.stringify({ auth: 'admin', password: serverPassword });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', localAddress, headers };
    const asked = request(`${address}/api/auth/login`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

test('people work through the proxy, and go on when the web server behind it is killed', async () => {
  const cluster = await startCluster();
  const webs = [
    await cluster.start('web', trusting),
    await cluster.start('web', trusting),
  ] as const;
  await cluster.start('runner');
  const { address, plain } = await startNginx(webs.map((web) => web.address));
  const sent = await fetch(`${plain}/projects`, { redirect: 'manual' });
  expect([sent.status, sent.headers.get('location')]).toEqual([301, 'https://127.0.0.1/projects']);

  expect(await signInFrom('127.0.0.2', address)).toBe(204);
  const owner = await remoteCaller(address, 'admin', serverPassword);
  const sessions = await owner.call(session.list, {});
  expect(sessions.map(({ ip }) => ip).toSorted()).toEqual(['127.0.0.1', '127.0.0.2']);

  const script = 'for i in $(seq 1 200); do echo "line $i"; sleep 0.1; done\n';
  const seed = await scriptProject(owner, script);
  const { id: template_id } = await seed.template();
  const task = await launch(owner, seed.projectId, { template_id });
  const follow = async (after: number) => {
    const client = await connect(address, { cookie: owner.cookie });
    const of = { project_id: seed.projectId, task_id: task.id };
    client.send({ type: 'subscribe', topic: 'task_log', ...of, after });
    return client;
  };
  const first = await follow(0);
  await until(() => linesOf(first.messages).some(({ output }) => output === 'line 10'));
  // One of the two web servers has the connection. If it is the second, the first is started again
  // before the second is killed.
  await webs[0].end('SIGKILL');
  const isCut = await Promise.race([
    first.closed.then(() => true),
    until(() => linesOf(first.messages).some(({ output }) => output === 'line 30')).then(
      () => false,
    ),
  ]);
  if (!isCut) {
    const { dataDir, address: own } = webs[0];
    await cluster.start('web', {
      dataDir,
      env: { ...trusting.env, SIGNALBOX_PORT: new URL(own).port },
    });
    await webs[1].end('SIGKILL');
  }
  await first.closed;
  const before = linesOf(first.messages);
  const second = await follow(before.at(-1)?.number ?? 0);
  expect((await untilFinished(owner, task, 60)).status).toBe('success');
  await second.untilMessage('log_end');
  const all = [...before, ...linesOf(second.messages)];
  const lines = all.map(({ output }) => output).filter((line) => line.startsWith('line '));
  expect(lines).toEqual(Array.from({ length: 200 }, (_, index) => `line ${index + 1}`));
}, 300_000);
