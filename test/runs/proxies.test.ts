// Only on SQLite: it is about the ways out of a server, and of a runner to it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { repositories } from '#shared/api/repositories.ts';
import { system } from '#shared/api/system.ts';
import { runners } from '#shared/api/runners.ts';
import { testApp } from '../helpers/app.ts';
import { runInside } from '../helpers/command.ts';
import { startForwardProxy } from '../helpers/forward-proxy.ts';
import { startGitHttp } from '../helpers/git-http.ts';
import { startOtlpReceiver } from '../helpers/otlp-receiver.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { remoteRunner } from '../helpers/remote-runner.ts';
import { commitFiles, folder, git, seedProject } from '../helpers/seed.ts';
import { createTracer } from '../../src/server/lib/telemetry/tracer.ts';
import { readProxies } from '../../src/server/config/proxy-settings.ts';

test('"Test connection" asks the proxy for a repository', async () => {
  const root = await folder();
  const code = join(root, 'code.git');
  await mkdir(code);
  await git(code, 'init', '--quiet');
  await commitFiles(code, { 'play.yml': 'echo hello\n' });
  const server = await startGitHttp({ root, secure: true, name: 'git.example' });
  const proxy = await startForwardProxy({ hosts: { 'git.example:443': new URL(server.url).host } });
  const proxies = readProxies({ HTTPS_PROXY: proxy.url.replace('//', '//robot:canary@') });
  const app = await testApp({ config: { proxies, gitCaFile: server.certificate } });
  const { projectId, keyId } = await seedProject(app.admin, null);
  const body = { git_url: 'https://git.example/code.git', ssh_key_id: keyId };
  const params = { project_id: projectId };
  expect(await app.admin.call(repositories.branches, { params, body })).toEqual({
    branches: ['main'],
    head: 'main',
    failure: null,
  });
  expect(proxy.seen[0]).toBe('CONNECT git.example:443');
  const { server: seen } = await app.admin.call(system.figures, {});
  expect(seen.proxies).toEqual({ http: null, https: proxy.shown });
});

test('alerts go through the proxy, and one that refuses is named', async () => {
  const receiver = await startReceiver();
  const hosts = { 'chat.example': new URL(receiver.url).host };
  const proxy = await startForwardProxy({ account: 'robot:canary-password', hosts });
  const tried = async (url: string) => {
    const app = await testApp({ config: { proxies: readProxies({ http_proxy: url }) } });
    const { projectId } = await seedProject(app.admin, null);
    const params = { project_id: projectId };
    const address = 'http://chat.example/hook';
    const body = { name: 'Chat', type: 'webhook' as const, address };
    const { id } = await app.admin.call(alertChannels.create, { params, body });
    return app.admin.call(alertChannels.test, { params: { ...params, alert_channel_id: id } });
  };
  expect(await tried(proxy.url)).toMatchObject({ status: 200, error: null });
  expect(proxy.seen).toEqual(['POST http://chat.example/hook']);
  expect(receiver.received).toHaveLength(1);
  expect(await tried(proxy.shown)).toMatchObject({
    error: expect.stringContaining('proxy of the server'),
  });
  expect(receiver.received).toHaveLength(1);
});

test('a remote runner reaches its server through the proxy', async () => {
  const app = await testApp({ runner: true, config: { role: 'web' } });
  const { host } = new URL(await app.listen());
  const proxy = await startForwardProxy({ account: 'robot:pass', hosts: { 'ops.example': host } });
  const proxies = readProxies({ HTTP_PROXY: proxy.url });
  const url = 'http://ops.example';
  const runner = await remoteRunner(app.admin, url, { config: { proxies } });
  const list = await app.admin.call(runners.list, {});
  expect(list.find(({ id }) => id === runner.id)).toMatchObject({ name: 'Far away' });
  expect(proxy.seen).toContain(`POST ${url}/api/runner/register`);
  await runner.close();
});

test('traces go through the proxy', async () => {
  const receiver = await startOtlpReceiver();
  const hosts = { 'otel.example:4318': new URL(receiver.url).host };
  const proxy = await startForwardProxy({ hosts });
  const sent = Promise.withResolvers<string>();
  const proxies = readProxies({ HTTP_PROXY: proxy.url });
  const place = { url: 'http://otel.example:4318', headers: {}, proxies };
  const tracer = createTracer(place, (outcome) => sent.resolve(outcome));
  const [begin, end] = [new Date(0), new Date(1)];
  const span = { name: 'task', traceId: 'a'.repeat(32), id: 'b'.repeat(16), parentId: null };
  tracer.send([{ ...span, begin, end, attributes: {}, isError: false }]);
  expect(await sent.promise).toBe('sent');
  expect(receiver.spans.map(({ name }) => name)).toEqual(['task']);
  expect(proxy.seen).toEqual(['POST http://otel.example:4318/v1/traces']);
  await tracer.close();
});

async function startRunner(settings: Record<string, string>): Promise<string> {
  const env = { SIGNALBOX_DATA_DIR: await folder(), SIGNALBOX_RUNNER_TOKEN: 'sbr_x', ...settings };
  const { code, error } = await runInside(['server'], env);
  expect(code).toBe(1);
  return error;
}

test.each(['http', 'https'])('a runner names a proxy that refuses it: %s', async (scheme) => {
  const proxy = await startForwardProxy({ account: 'robot:canary-password' });
  const wrong = proxy.url.replace('robot', 'other');
  const url = `${scheme}://ops.example`;
  const settings = { SIGNALBOX_SERVER_URL: url, http_proxy: wrong, https_proxy: wrong };
  expect(await startRunner(settings)).toBe(
    `${url} does not let this runner in: Cannot reach the server through the proxy ${proxy.shown}. The proxy wants a login and password: put them into the address of HTTPS_PROXY or HTTP_PROXY.\n`,
  );
});

test('a runner names a proxy that is not there or knows no way', async () => {
  const gone = { SIGNALBOX_SERVER_URL: 'https://ops.example', HTTPS_PROXY: 'http://127.0.0.1:1' };
  expect(await startRunner(gone)).toContain(
    'through the proxy http://127.0.0.1:1. Nothing listens at its address.',
  );
});

test('a wrong value stops the start with one line, which does not show it', async () => {
  const { code, out, error } = await runInside(['server'], {
    SIGNALBOX_DATA_DIR: await folder(),
    HTTPS_PROXY: 'socks5://robot:canary-password@proxy.example:1080',
  });
  expect([code, out]).toEqual([1, '']);
  expect(error).toMatch(/^HTTPS_PROXY holds a value that is hidden here, [^\n]+\n$/);
  expect(error).not.toContain('canary');
});
