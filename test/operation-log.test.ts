// The log as fail2ban and operators read it.

import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
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

const linesOf = (server: TestServer): string[] => server.printedErrors().trim().split('\n');

/**
 * The filter of the guide as fail2ban applies it: without the date, and with an address in place of
 * the host.
 */
function filterOfGuide(): (line: string) => string | null {
  const guide = readFileSync(new URL('../docs/guide/operation.md', import.meta.url), 'utf8');
  const failregex = /^failregex = (.+)$/m.exec(guide)?.[1] ?? '';
  const datepattern = /^datepattern = (.+)$/m.exec(guide)?.[1] ?? '';
  const digits: Record<string, string> = { Y: '\\d{4}', m: '\\d\\d', d: '\\d\\d', H: '\\d\\d' };
  const date = datepattern.replace(/%%(\w)/g, (_, sign: string) => digits[sign] ?? '\\d\\d');
  const fail = new RegExp(failregex.replace('<HOST>', '(?<host>[\\da-fA-F.:]+)'));
  return (line) => {
    const undated = line.replace(new RegExp(date), '');
    return undated === line ? null : (fail.exec(undated)?.groups?.['host'] ?? null);
  };
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
  const hostOf = filterOfGuide();
  expect(all.slice(0, 2).map(hostOf)).toEqual(['203.0.113.7', '2001:db8::7']);
  expect(all.every((line) => hostOf(line) !== null)).toBe(true);
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
  expect(server.printedErrors()).toBe('');
});
