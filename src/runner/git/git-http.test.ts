// Slow: a server of git over https for each test.
// Real git over http and https: who has access, which hosts receive the password, and where the
// password may be stored.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isFinished } from '#shared/task-status.ts';
import { startGitHttp } from '../../../test/helpers/git-http.ts';
import { commitFiles, folder, git } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { login } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const play = 'echo hello; cat .git/config\n';

async function served(files: Record<string, string> = { 'play.yml': play }): Promise<string> {
  const root = await folder();
  await mkdir(join(root, 'code.git'));
  await git(join(root, 'code.git'), 'init', '--quiet');
  await commitFiles(join(root, 'code.git'), files);
  return root;
}

/** The files below a folder that contain a text. */
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

test.each([
  'plain-password',
  '#%@:/',
  `quotes ' " and \\ \\n`,
  '$(touch x)`id`;&|<>*?[]{}!~',
  '%41%00 +&=',
  ' blanks around ',
  'pässwörd-密码-🔑',
])('lets git in with the password %s', async (password) => {
  const runner = await testRunner();
  const server = await startGitHttp({ root: await served(), account: `de@ploy:${password}` });
  const repository = `${server.url}code.git`;
  const { status, log } = await runner.run({ repository, key: login('de@ploy', password) });
  expect([status, log]).toEqual(['success', expect.stringContaining('hello')]);
  expect(log).not.toContain(password);
  expect(log).toContain('this address is not encrypted');
});

test('takes a key without a login as a token, and the login of the address before that of the key', async () => {
  const runner = await testRunner();
  const root = await served();
  const token = await startGitHttp({ root, account: ':token-without-login' });
  const one = await runner.run({
    repository: `${token.url}code.git`,
    key: login('', 'token-without-login'),
  });
  expect(one.status).toBe('success');
  const named = await startGitHttp({ root, account: 'address:a password' });
  const repository = `${named.url.replace('//', '//address@')}code.git`;
  const two = await runner.run({ repository, key: login('key', 'a password') });
  expect(two.status).toBe('success');
});

test('a wrong password fails at once and says so; a key without one too', async () => {
  const runner = await testRunner();
  const server = await startGitHttp({ root: await served(), account: 'me:right' });
  const repository = `${server.url}code.git`;
  const wrong = await runner.run({ repository, key: login('me', 'wrong-word') });
  expect(wrong.status).toBe('error');
  expect(wrong.log).toContain("refused the login and password of the repository's key");
  expect(wrong.log).not.toContain('wrong-word');
  const none = await runner.run({ repository });
  expect([none.status, none.log]).toEqual(['error', expect.stringContaining('asks for a login')]);
});

test('trusts a private authority only when the setting names its file', async () => {
  const server = await startGitHttp({ root: await served(), account: 'me:secret', secure: true });
  const task = { repository: `${server.url}code.git`, key: login('me', 'secret') };
  const refused = await (await testRunner()).run(task);
  expect([refused.status, refused.log]).toEqual([
    'error',
    expect.stringContaining('SIGNALBOX_GIT_CA_FILE'),
  ]);
  expect(server.authorizations).toEqual([]);
  const friend = await testRunner({ config: { gitCaFile: server.certificate } });
  const taken = await friend.run(task);
  expect([taken.status, taken.log]).toEqual(['success', expect.stringContaining('hello')]);
  expect(taken.log).not.toContain('not encrypted');
});

test('the password is in no argument, no file that stays and no line, and a long fetch shows its progress', async () => {
  const runner = await testRunner();
  const password = 'canary-of-the-password';
  const data = Object.fromEntries(
    Array.from({ length: 120 }, (_, count) => [`data/${count}`, randomBytes(5000).toString('hex')]),
  );
  const root = await served({ 'play.yml': play, ...data });
  const server = await startGitHttp({ root, account: `me:${password}`, bytesPerSecond: 200_000 });
  const repository = `${server.url}code.git`;
  const launched = await runner.launch({ repository, key: login('me', password) });
  const seen = new Set<string>();
  await until(async () => {
    for (const line of await commandLines()) seen.add(line);
    return isFinished(launched.task.status);
  });
  const { status, log } = await launched.untilFinished();
  expect(status).toBe('success');
  expect([...seen].filter((line) => line.includes('remote-http'))).not.toEqual([]);
  expect([...seen].filter((line) => line.includes(password))).toEqual([]);
  const { dataDir } = runner.config;
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
  const runner = await testRunner();
  const server = await startGitHttp({ root: await served() });
  const repository = `${server.url}code.git`;
  // The clock stands still, so that the fetch is a short one on a slow machine too.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const { status, log } = await runner.run({ repository, key: login('', 'any') });
  expect([status, log]).toEqual(['success', expect.not.stringMatching(/objects:/)]);
});

test('follows a redirect within a host, but tells no other host the password', async () => {
  const runner = await testRunner();
  const root = await served();
  const account = 'me:for-the-first-host';
  const other = await startGitHttp({ root, account });
  const moved = (path: string): string | null =>
    path.startsWith('/old/') ? path.replace('/old/', '/') : null;
  const inside = await startGitHttp({ root, account, redirect: moved });
  const key = login('me', 'for-the-first-host');
  const kept = await runner.run({ repository: `${inside.url}old/code.git`, key });
  expect(kept).toMatchObject({ status: 'success' });
  const away = (path: string): string => `${other.url}${path.slice(1)}`;
  const later = (path: string, authorization: string): string | null =>
    authorization ? away(path) : null;
  for (const redirect of [away, later]) {
    const from = await startGitHttp({ root, account, redirect });
    const { status } = await runner.run({ repository: `${from.url}code.git`, key });
    expect(status).toBe('error');
  }
  expect(other.authorizations.length).toBeGreaterThan(1);
  expect(other.authorizations.join('')).toBe('');
});

test('a submodule gets the password of its repository on the same host, and on no other', async () => {
  const runner = await testRunner();
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
    const key = login('me', 'for-the-first-host');
    const end = await runner.run({ repository: `${first.url}code.git`, key });
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
  const repository = `${server.url}code.git`;
  const runner = await testRunner();
  const { status, log } = await runner.run({ repository, key: login('anna', 'out of reach') });
  expect([status, log.includes('secret file: variables.yml')]).toEqual(['success', true]);
  expect(log).not.toMatch(/secret file: .*(?:password|login)/);
});
