// Slow: a server of git over https, git-lfs, the real ansible-galaxy and pip.
// What a runner fetches goes through the proxy of its service, and tasks get the variables that the
// settings name. All names here end with `.example`: only the proxy of the test can resolve them.

import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startForwardProxy } from '../helpers/forward-proxy.ts';
import { pointerTo, startGitHttp } from '../helpers/git-http.ts';
import { realPrograms } from '../helpers/programs.ts';
import { makeGreetingWheel } from '../helpers/python-wheel.ts';
import { commitFiles, folder, git, gitRepository } from '../helpers/seed.ts';
import { login, type TaskInput } from '../runner/given.ts';
import { testRunner } from '../runner/test-runner.ts';
import { loadConfig } from '../../src/server/config/config.ts';

const content = Buffer.from('the real content\n');

const files = {
  '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
  'play.yml': 'cat app.bin; git status --short | cat\n',
  'app.bin': pointerTo(content),
};

/** A server of git that is called `git.example` for the proxy, and the settings of a runner behind it. */
async function behindProxy(root: string, account = 'robot:pass word') {
  const server = await startGitHttp({
    root,
    account: 'deploy:key password',
    secure: true,
    name: 'git.example',
    largeFiles: [content],
  });
  const at = new URL(server.url).host;
  const proxy = await startForwardProxy({ account, hosts: { 'git.example:443': at } });
  const { proxies, taskEnvironment } = loadConfig({ HTTPS_PROXY: proxy.url });
  return { proxy, config: { proxies, taskEnvironment, gitCaFile: server.certificate } };
}

const key = login('deploy', 'key password');
const repository = 'https://git.example/code.git';
const wheel = 'greeting-1.0-py3-none-any.whl';
const connect = 'CONNECT git.example:443';

test('git and Git LFS go through the proxy, whose password is in no log', async () => {
  const root = await folder();
  const code = join(root, 'code.git');
  await mkdir(code);
  await git(code, 'init', '--quiet');
  // The git-lfs of this machine must not write pointers of its own.
  for (const name of ['clean', 'process']) await git(code, 'config', `filter.lfs.${name}`, '');
  await git(code, 'config', 'filter.lfs.required', 'false');
  await commitFiles(code, files);
  const { proxy, config } = await behindProxy(root);
  const runner = await testRunner({ config });
  const { status, log } = await runner.run({ repository, key });
  expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
  // Git asks without the login first, and git-lfs three times with it.
  expect(new Set(proxy.seen)).toEqual(new Set([`407 ${connect}`, connect]));
  expect(proxy.seen.filter((one) => one === connect).length).toBeGreaterThan(2);
  expect(log).not.toContain('pass word');
});

test('a proxy that wants another login is named as the reason, without its password', async () => {
  const { config } = await behindProxy(await folder());
  const wrong = loadConfig({ HTTPS_PROXY: config.proxies.https?.replace('robot', 'canary') });
  const runner = await testRunner({ config: { ...config, proxies: wrong.proxies } });
  const { status, log } = await runner.run({ repository, key });
  expect([status, log]).toEqual(['error', expect.stringContaining('The proxy of the server')]);
  expect(log).not.toMatch(/pass(?: |%20)word/);
});

test('roles and collections are fetched through the proxy, with the certificates of git', async () => {
  const role = await gitRepository({
    'tasks/main.yml': '- ansible.builtin.debug: { msg: from the role }\n',
    'meta/main.yml': 'galaxy_info: { author: A }\ndependencies: []\n',
  });
  const root = dirname(role);
  const { proxy, config } = await behindProxy(root);
  const code = await gitRepository({
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [quiet]\n',
    'requirements.yml': `roles: [{ name: quiet, scm: git, src: "https://git.example${role.slice(root.length)}/.git", version: main }]\n`,
  });
  const runner = await testRunner({ config: { ...config, path: realPrograms } });
  const address = `https://git.example${code.slice(root.length)}/.git`;
  const { status, log } = await runner.run({ repository: address, key });
  expect([status, log]).toEqual(['success', expect.stringContaining('from the role')]);
  expect(proxy.seen.length).toBeGreaterThan(2);
  expect(log).not.toContain('pass word');
});

test('packages of Python are fetched through the proxy', async () => {
  const root = await folder();
  makeGreetingWheel(root);
  const server = createServer((_request, response) => {
    createReadStream(join(root, wheel)).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const hosts = { 'packages.example': `127.0.0.1:${port}` };
  const proxy = await startForwardProxy({ hosts });
  const { proxies } = loadConfig({ HTTP_PROXY: proxy.url });
  const runner = await testRunner({ config: { proxies, path: realPrograms } });
  const { status, log } = await runner.run({
    app: 'python',
    files: {
      'requirements.txt': `http://packages.example/${wheel}\n`,
      'play.yml': 'import greeting\nprint(greeting.hello("proxy"))\n',
    },
  });
  expect([status, log]).toEqual(['success', expect.stringContaining('hello proxy')]);
  expect(proxy.seen).toEqual([`GET http://packages.example/${wheel}`]);
});

/** Runs a script that prints variables of its environment. */
async function print(
  environment: NodeJS.ProcessEnv,
  names: string[],
  given: TaskInput = {},
): Promise<string[]> {
  const { proxies, taskEnvironment } = loadConfig(environment);
  const runner = await testRunner({ config: { proxies, taskEnvironment } });
  const script = names.map((name) => `echo "${name}=$${name}"\n`).join('');
  const { log } = await runner.run({ app: 'bash', files: { 'play.yml': script }, ...given });
  return log.split('\n').filter((line) => names.some((name) => line.startsWith(`${name}=`)));
}

const service = {
  TZ: 'Asia/Tokyo',
  https_proxy: 'http://robot:canary-password@proxy.example:3128',
  NO_PROXY: '.internal.example',
  REQUESTS_CA_BUNDLE: '/etc/ssl/company.pem',
  OTHER: 'canary',
  SIGNALBOX_ADMIN_PASSWORD: 'canary-of-ours',
};

test('tasks get the time zone and the proxies of the service, with masked passwords', async () => {
  const names = ['TZ', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'HTTP_PROXY'];
  expect(await print(service, [...names, 'REQUESTS_CA_BUNDLE', 'OTHER'])).toEqual([
    'TZ=Asia/Tokyo',
    'HTTPS_PROXY=http://robot:********@proxy.example:3128',
    'https_proxy=http://robot:********@proxy.example:3128',
    'NO_PROXY=.internal.example,localhost,127.0.0.1,::1',
    'no_proxy=.internal.example,localhost,127.0.0.1,::1',
    'HTTP_PROXY=',
    'REQUESTS_CA_BUNDLE=',
    'OTHER=',
  ]);
});

test('tasks get the variables that the setting names instead, and none of ours', async () => {
  const names = ['REQUESTS_CA_BUNDLE', 'TZ', 'HTTPS_PROXY', 'SIGNALBOX_ADMIN_PASSWORD'];
  const named = { ...service, SIGNALBOX_TASK_ENVIRONMENT: 'REQUESTS_CA_BUNDLE, MISSING' };
  const none = ['TZ=', 'HTTPS_PROXY=', 'SIGNALBOX_ADMIN_PASSWORD='];
  expect(await print(named, names)).toEqual(['REQUESTS_CA_BUNDLE=/etc/ssl/company.pem', ...none]);
  const nothing = { ...service, SIGNALBOX_TASK_ENVIRONMENT: 'none' };
  expect(await print(nothing, names)).toEqual(['REQUESTS_CA_BUNDLE=', ...none]);
});

test('the variables of a template win over those of the service', async () => {
  const given = { env: '{"TZ": "Europe/Berlin"}', json: '{"https_proxy": "http://own.example"}' };
  expect(await print(service, ['TZ', 'https_proxy'], given)).toEqual([
    'TZ=Europe/Berlin',
    'https_proxy=http://own.example',
  ]);
});
