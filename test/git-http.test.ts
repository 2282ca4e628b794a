// Real git over http and https: who is let in, who is told the password, and where it may stand.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Config } from '../src/server/config/config.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { startGitHttp } from './helpers/git-http.ts';
import { commitFiles, folder, git, seedProject, type Seed } from './helpers/seed.ts';
import { launch, logText, readTask, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

const play = 'echo hello; cat .git/config\n';

async function served(files: Record<string, string> = { 'play.yml': play }): Promise<string> {
  const root = await folder();
  await mkdir(join(root, 'code.git'));
  await git(join(root, 'code.git'), 'init', '--quiet');
  await commitFiles(join(root, 'code.git'), files);
  return root;
}

interface Place {
  app: TestApp;
  seed: Seed;
  /** Launches a template whose repository has this address and this key. */
  run: (git_url: string, login: string, password: string) => Promise<Task>;
}

async function place(config: Partial<Config> = {}, isShared = false): Promise<Place> {
  const app = await testApp({
    runner: true,
    config: { httpRepositories: true, ...config },
    shared: isShared,
  });
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  let count = 0;
  return {
    app,
    seed,
    async run(git_url, login, password) {
      const name = `Number ${(count += 1)}`;
      const login_password = { login, password };
      const key = await app.admin.call(keys.create, {
        params,
        body: { name, type: 'login_password', login_password },
      });
      const body = { name, git_url, git_branch: 'main', ssh_key_id: key.id };
      const repository = await app.admin.call(repositories.create, { params, body });
      const template = await seed.template({ repository_id: repository.id });
      return launch(app.admin, seed.projectId, { template_id: template.id });
    },
  };
}

async function ending({ app }: Place, task: Task): Promise<{ status: string; log: string }> {
  const { status } = await untilFinished(app.admin, task);
  return { status, log: await logText(app.admin, task) };
}

/** The files below a folder that hold a text. */
async function filesWith(path: string, text: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      return bytes.includes(text) ? [join(parentPath, name)] : [];
    }),
  );
  return found.flat();
}

/** For tests that are about one fetch. */
let shared: Promise<Place> | undefined;
const common = () => (shared ??= place({}, true));
afterAll(async () => (await shared)?.app.close());

test.each([
  'plain-password',
  '#%@:/',
  `quotes ' " and \\ \\n`,
  '$(touch x)`id`;&|<>*?[]{}!~',
  '%41%00 +&=',
  ' blanks around ',
  'pässwörd-密码-🔑',
])('lets git in with the password %s', async (password) => {
  const here = await common();
  const server = await startGitHttp({ root: await served(), account: `de@ploy:${password}` });
  const task = await here.run(`${server.url}code.git`, 'de@ploy', password);
  const { status, log } = await ending(here, task);
  expect([status, log]).toEqual(['success', expect.stringContaining('hello')]);
  expect(log).not.toContain(password);
  expect(log).toContain('this address is not encrypted');
});

test('takes a key without a login as a token, and the login of the address before that of the key', async () => {
  const here = await common();
  const root = await served();
  const token = await startGitHttp({ root, account: ':token-without-login' });
  const one = await here.run(`${token.url}code.git`, '', 'token-without-login');
  expect((await ending(here, one)).status).toBe('success');
  const named = await startGitHttp({ root, account: 'address:a password' });
  const url = `${named.url.replace('//', '//address@')}code.git`;
  expect((await ending(here, await here.run(url, 'key', 'a password'))).status).toBe('success');
});

test('a wrong password fails at once and says so; a key without one too', async () => {
  const here = await common();
  const server = await startGitHttp({ root: await served(), account: 'me:right' });
  const wrong = await ending(here, await here.run(`${server.url}code.git`, 'me', 'wrong-word'));
  expect(wrong.status).toBe('error');
  expect(wrong.log).toContain("refused the login and password of the repository's key");
  expect(wrong.log).not.toContain('wrong-word');
  const params = { project_id: here.seed.projectId };
  const body = { name: 'Open', git_url: `${server.url}code.git`, git_branch: 'main' };
  const open = await here.app.admin.call(repositories.create, {
    params,
    body: { ...body, ssh_key_id: here.seed.keyId },
  });
  const template = await here.seed.template({ repository_id: open.id });
  const task = await launch(here.app.admin, here.seed.projectId, { template_id: template.id });
  const none = await ending(here, task);
  expect([none.status, none.log]).toEqual(['error', expect.stringContaining('asks for a login')]);
});

test('trusts a private authority only when the setting names its file', async () => {
  const server = await startGitHttp({ root: await served(), account: 'me:secret', secure: true });
  const stranger = await place();
  const url = `${server.url}code.git`;
  const refused = await ending(stranger, await stranger.run(url, 'me', 'secret'));
  expect([refused.status, refused.log]).toEqual([
    'error',
    expect.stringContaining('SIGNALBOX_GIT_CA_FILE'),
  ]);
  expect(server.authorizations).toEqual([]);
  const friend = await place({ gitCaFile: server.certificate });
  const taken = await ending(friend, await friend.run(url, 'me', 'secret'));
  expect([taken.status, taken.log]).toEqual(['success', expect.stringContaining('hello')]);
  expect(taken.log).not.toContain('not encrypted');
});

test('the password is in no argument, no file that stays and no line, and a long fetch shows its progress', async () => {
  const here = await place();
  const password = 'canary-of-the-password';
  const data = Object.fromEntries(
    Array.from({ length: 120 }, (_, count) => [`data/${count}`, randomBytes(5000).toString('hex')]),
  );
  const root = await served({ 'play.yml': play, ...data });
  const server = await startGitHttp({ root, account: `me:${password}`, bytesPerSecond: 200_000 });
  const task = await here.run(`${server.url}code.git`, 'me', password);
  const seen = new Set<string>();
  await until(async () => {
    for (const line of await commandLines()) seen.add(line);
    return isFinished((await readTask(here.app.admin, task)).status);
  });
  const { status, log } = await ending(here, task);
  expect(status).toBe('success');
  expect([...seen].filter((line) => line.includes('remote-http'))).not.toEqual([]);
  expect([...seen].filter((line) => line.includes(password))).toEqual([]);
  const { dataDir } = here.app.ctx.config;
  await until(async () => (await readdir(join(dataDir, 'runs'))).length === 0);
  expect(await filesWith(dataDir, password)).toEqual([]);
  expect(log).not.toContain(password);
  const progress = log.split('\n').filter((line) => /^Receiving objects: +\d+% \(\d+/.test(line));
  expect(progress.length).toBeGreaterThanOrEqual(1);
  expect(progress.length).toBeLessThanOrEqual(8);
});

async function commandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
}

test('a small fetch prints no progress', async () => {
  const here = await common();
  const server = await startGitHttp({ root: await served() });
  const { status, log } = await ending(here, await here.run(`${server.url}code.git`, '', 'any'));
  expect([status, log]).toEqual(['success', expect.not.stringMatching(/objects:/)]);
});

test('is led elsewhere within a host, but tells no other host the password', async () => {
  const here = await common();
  const root = await served();
  const account = 'me:for-the-first-host';
  const other = await startGitHttp({ root, account });
  const moved = (path: string): string | null =>
    path.startsWith('/old/') ? path.replace('/old/', '/') : null;
  const inside = await startGitHttp({ root, account, redirect: moved });
  const kept = await here.run(`${inside.url}old/code.git`, 'me', 'for-the-first-host');
  expect(await ending(here, kept)).toMatchObject({ status: 'success' });
  const away = (path: string): string => `${other.url}${path.slice(1)}`;
  const later = (path: string, authorization: string): string | null =>
    authorization ? away(path) : null;
  for (const redirect of [away, later]) {
    const from = await startGitHttp({ root, account, redirect });
    const task = await here.run(`${from.url}code.git`, 'me', 'for-the-first-host');
    expect((await ending(here, task)).status).toBe('error');
  }
  expect(other.authorizations.length).toBeGreaterThan(1);
  expect(other.authorizations.join('')).toBe('');
});

test('a submodule gets the password of its repository on the same host, and on no other', async () => {
  const here = await common();
  const account = 'me:for-the-first-host';
  const root = await served({ 'play.yml': 'cat part/text\n' });
  await mkdir(join(root, 'part.git'));
  await git(join(root, 'part.git'), 'init', '--quiet');
  const hash = await commitFiles(join(root, 'part.git'), { text: 'a part\n' });
  const first = await startGitHttp({ root, account });
  const other = await startGitHttp({ root, account });
  const code = join(root, 'code.git');
  for (const [url, status] of [
    ['../part.git', 'success'],
    [`${other.url}part.git`, 'error'],
  ]) {
    await git(code, 'update-index', '--add', '--cacheinfo', `160000,${hash},part`);
    const text = `[submodule "part"]\n\tpath = part\n\turl = ${url}\n`;
    await git(
      code,
      'update-index',
      '--add',
      '--cacheinfo',
      `100644,${await blob(code, text)},.gitmodules`,
    );
    await git(code, 'commit', '--quiet', '--message', 'Link');
    const task = await here.run(`${first.url}code.git`, 'me', 'for-the-first-host');
    const end = await ending(here, task);
    expect([url, end.status, end.log.includes('a part')]).toEqual([
      url,
      status,
      status === 'success',
    ]);
  }
  expect(other.authorizations.join('')).toBe('');
});

async function blob(path: string, text: string): Promise<string> {
  await writeFile(join(path, '.git', 'text'), text);
  return git(path, 'hash-object', '-w', join(path, '.git', 'text'));
}

test('the programs of a task find no password of its repository', async () => {
  const seek =
    'for a; do case $a in *vars=@*) ls "$(dirname "${a#*@}")" | sed "s/^/secret file: /";; esac; done\n';
  const root = await served({ 'play.yml': seek });
  const server = await startGitHttp({ root, account: 'anna:out of reach' });
  const one = await place();
  const { status, log } = await ending(
    one,
    await one.run(`${server.url}code.git`, 'anna', 'out of reach'),
  );
  expect([status, log.includes('secret file: variables.yml')]).toEqual(['success', true]);
  expect(log).not.toMatch(/secret file: .*(?:password|login)/);
});
