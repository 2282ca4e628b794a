// Only on SQLite: it is about what the process prints.
// Slow: fail2ban is started for each way to print, and whole servers are.
// The log as fail2ban and operators read it.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectApi } from './helpers/api-client.ts';
import { startServer, type TestServer } from './helpers/server.ts';
import { until } from './helpers/until.ts';

async function started(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ env: { SIGNALBOX_ADMIN_LOGIN: 'boss', ...env } });
  onTestFinished(() => server.stop());
  return server;
}

const signIn = (
  { address }: TestServer,
  body: { auth: string; password: string },
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The lines of the log, without those of a busy machine. */
const linesOf = (server: TestServer): string[] =>
  server
    .printedErrors()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('"msg":"event loop blocked'));

/** The addresses that fail2ban finds with the filter of the guide in these lines, one for each match. */
async function foundByFail2ban(lines: string[]): Promise<string[]> {
  const guide = readFileSync(new URL('../docs/guide/operation.md', import.meta.url), 'utf8');
  const filter = /```ini\n(\[Definition\][\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-fail2ban-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [log, conf] = [join(folder, 'server.log'), join(folder, 'signalbox.conf')];
  await writeFile(log, lines.map((line) => `${line}\n`).join(''));
  await writeFile(conf, filter);
  const found = spawnSync('fail2ban-regex', ['--out', 'ip', log, conf], { encoding: 'utf8' });
  expect([found.stderr, found.status]).toEqual(['', 0]);
  return found.stdout.split('\n').filter(Boolean);
}

test('failed sign-ins stand in the log at any level, as the filter of the guide reads them', async () => {
  const server = await started({
    SIGNALBOX_LOG_LEVEL: 'fatal',
    SIGNALBOX_TRUSTED_PROXIES: '127.0.0.1',
  });
  const from = (ip: string): Record<string, string> => ({ 'x-forwarded-for': ip });
  await signIn(server, { auth: 'BOSS', password: 'a guess' }, from('203.0.113.7'));
  const hunter = 'hunter2","account":"x","reason":"password","msg":"sign-in failed"}';
  await signIn(server, { auth: hunter, password: 'x' }, from('2001:db8::7'));
  for (let count = 0; count < 11; count += 1) {
    await signIn(server, { auth: 'boss', password: 'a guess' }, from('198.51.100.9'));
  }
  const right = await signIn(server, { auth: 'nobody', password: server.password });
  expect(right.status).toBe(401);
  const all = await until(() => linesOf(server).length >= 14 && linesOf(server));
  const hosts = await foundByFail2ban(all);
  expect(hosts.slice(0, 2)).toEqual(['203.0.113.7', '2001:db8::7']);
  expect(hosts).toHaveLength(all.length);
  expect(JSON.parse(all[0] ?? '')).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ip: '203.0.113.7',
    account: 'boss',
    reason: 'password',
    msg: 'sign-in failed',
  });
  const reasons = all.map((line) => (JSON.parse(line) as { reason: string }).reason);
  expect(reasons.filter((reason) => reason === 'locked')).toHaveLength(1);
  expect(server.printedErrors()).not.toMatch(/hunter2|a guess/);
});

test('fail2ban finds failed sign-ins and nothing else, whatever names and browsers are sent', async () => {
  const forged = '","ip":"192.0.2.1","account":"x","reason":"password","msg":"sign-in failed"}';
  const server = await started({
    SIGNALBOX_ACCESS_LOG: 'on',
    SIGNALBOX_LOG_LEVEL: 'debug',
    SIGNALBOX_TRUSTED_PROXIES: '127.0.0.1',
  });
  const call = await connectApi(server, 'boss');
  // A name that exists stands in the log, so the most hostile one is made.
  const hostile = `x"\\\\"${forged}`;
  const person = { name: forged, email: 'x@example.com', password: 'a password of a person' };
  await call('POST', '/api/users', { ...person, username: hostile });
  const from = (ip: string): Record<string, string> => ({
    'x-forwarded-for': ip,
    'user-agent': forged,
    referer: `http://127.0.0.1/${forged}`,
    'x-request-id': 'sign-in:failed',
  });
  const wrong = [hostile, forged, 'boss', '\u2028\u0000"', `${hostile}\r\n{"ip":"192.0.2.2"}`];
  for (const [index, auth] of wrong.entries()) {
    const answer = await signIn(server, { auth, password: 'x' }, from(`203.0.113.${index}`));
    expect([400, 401]).toContain(answer.status);
  }
  const right = { auth: hostile, password: person.password };
  expect((await signIn(server, right, from('198.51.100.1'))).status).toBe(204);
  const headers = from('198.51.100.2');
  for (const path of ['/api/user', '/none/', '/api/project/', '/api/integrations/']) {
    await fetch(`${server.address}${path}${encodeURIComponent(forged)}?${forged}`, { headers });
  }
  await fetch(`${server.address}/none`, { headers: from('198.51.100.3'), method: 'DELETE' });
  const lines = await until(() => server.printedErrors().includes('DELETE') && linesOf(server));
  const failed = lines
    .map((line) => JSON.parse(line) as { msg: string; ip: string })
    .filter(({ msg }) => msg === 'sign-in failed')
    .map(({ ip }) => ip);
  expect(failed.length).toBeGreaterThan(2);
  expect(lines.length).toBeGreaterThan(failed.length + 5);
  expect(await foundByFail2ban(lines)).toEqual(failed);
});

test('the access log has a line for each request, with its id and without secrets', async () => {
  const server = await started({
    SIGNALBOX_ACCESS_LOG: 'on',
    SIGNALBOX_TRUSTED_PROXIES: '127.0.0.0/8',
  });
  const answer = await signIn(server, { auth: 'boss', password: server.password });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const ask = (path: string, id: string): Promise<Response> =>
    fetch(`${server.address}${path}`, { headers: { cookie, 'x-request-id': id } });
  const given = await ask('/api/user?secret=1', 'proxy-7:a/b');
  expect(given.headers.get('x-request-id')).toBe('proxy-7:a/b');
  for (const id of ['with space', '"quoted"', 'x'.repeat(129)]) {
    expect((await ask('/api/ping', id)).headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  }
  await fetch(`${server.address}/api/integrations/a-secret-address`, { method: 'POST' });
  const lines = await until(() => linesOf(server).length >= 6 && linesOf(server));
  const facts = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(facts[1]).toEqual({
    level: 'info',
    time: expect.stringMatching(/Z$/),
    request_id: 'proxy-7:a/b',
    ip: '127.0.0.1',
    account: 'boss',
    method: 'GET',
    path: '/api/user',
    status: 200,
    ms: expect.any(Number),
    msg: 'request',
  });
  expect(facts[5]).toMatchObject({ path: '/api/integrations/:alias', status: 404, account: '' });
  expect(server.printedErrors()).not.toMatch(/a-secret-address|secret=1/);
});

test('nobody but a trusted proxy gives the id of a request, and no access is logged unasked', async () => {
  const server = await started({ SIGNALBOX_TRUSTED_PROXIES: '203.0.113.0/24' });
  const headers = { 'x-request-id': 'mine' };
  const answer = await fetch(`${server.address}/api/ping`, { headers });
  expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(linesOf(server)).toEqual([]);
});
