import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitFiles, folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { asRoot } from '../../../test/helpers/unix-user.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { git as safeGit } from './git.ts';

test('each run has the newest commit in a folder of its own; a pinned one has its commit', async () => {
  const runner = await testRunner();
  const script = 'pwd; cat version; git rev-parse HEAD 2>/dev/null; ls -a\n';
  const repository = await gitRepository({ 'play.yml': script, version: 'first\n' });
  const first = await runner.run({ repository });
  await commitFiles(repository, { version: 'second\n' }, 'Second');
  const second = await runner.run({ repository });
  expect([first.status, first.log]).toEqual(['success', expect.stringContaining('first')]);
  expect([second.status, second.log]).toEqual(['success', expect.stringContaining('second')]);
  expect(second.task.commitMessage).toBe('Second');
  const commit = first.task.commit_hash;
  const third = await runner.run({ repository, commit });
  expect([third.status, third.task.commit_hash]).toEqual(['success', commit]);
  expect(third.log).toContain('first');
});

test('takes a branch, and tags too', async () => {
  const runner = await testRunner();
  const repository = await gitRepository({ 'play.yml': 'cat where\n', where: 'main\n' });
  await git(repository, 'switch', '--quiet', '-c', 'release/1');
  await commitFiles(repository, { where: 'release\n' });
  await git(repository, 'tag', 'v1');
  for (const branch of ['release/1', 'v1']) {
    const { status, log } = await runner.run({ repository, branch });
    expect([status, log]).toEqual(['success', expect.stringContaining('release')]);
  }
  const missing = await runner.run({ repository, branch: 'nowhere' });
  expect(missing.status).toBe('error');
  expect(missing.log).toContain('no branch or tag "nowhere"');
});

test('runs exact names and whole commits, and a branch before a tag of its name', async () => {
  const runner = await testRunner();
  const path = await gitRepository({ 'play.yml': 'cat where\n', where: 'main\n' });
  const first = await git(path, 'rev-parse', 'HEAD');
  await git(path, 'tag', '--annotate', '--message', 'One', 'both');
  await git(path, 'switch', '--quiet', '--create', 'both');
  await commitFiles(path, { where: 'branch\n' });
  await git(path, 'switch', '--quiet', '--detach');
  const lost = await commitFiles(path, { where: 'on no branch\n' });
  // As hidden as the refs of requests to merge.
  await git(path, 'update-ref', 'refs/pull/1/head', lost);
  await git(path, 'switch', '--quiet', 'both');
  const run = async (branch: string) => {
    const { status, log } = await runner.run({ repository: path, branch });
    return [status, log.trimEnd().split('\n').at(-1)];
  };
  expect(await run('both')).toEqual(['success', 'branch']);
  expect(await run('refs/heads/both')).toEqual(['success', 'branch']);
  expect(await run('refs/tags/both')).toEqual(['success', 'main']);
  expect(await run(first)).toEqual(['success', 'main']);
  const unknown = `No branch or tag of the repository leads to the commit ${lost}.`;
  expect(await run(lost)).toEqual(['error', unknown]);
  // A template from before names had to be exact.
  const words = '"main^{/First}" is not the exact name of a branch or tag, and not a full commit.';
  expect(await run('main^{/First}')).toEqual(['error', words]);
});

test('runs a plain folder from a copy', async () => {
  const runner = await testRunner();
  const path = await folder();
  await writeFile(join(path, 'play.yml'), 'pwd; touch made-by-the-run; echo plain\n');
  const { status, task } = await runner.run({ repository: path, branch: '' });
  expect([status, task.commit_hash]).toEqual(['success', null]);
  expect(await readdir(path)).toEqual(['play.yml']);
});

test('a worktree whose repository is gone is not run as a plain folder', async () => {
  const runner = await testRunner();
  const [main, place] = [
    await gitRepository({ 'play.yml': 'echo of the commit\n' }),
    await folder(),
  ];
  const repository = join(place, 'tree');
  await git(main, 'worktree', 'add', '--quiet', '-b', 'other', repository);
  const run = () => runner.run({ repository, branch: 'other' });
  await writeFile(join(repository, 'play.yml'), 'echo of nobody\n');
  expect((await run()).log).toContain('of the commit');
  await rm(main, { recursive: true });
  const { status, log } = await run();
  expect([status, log]).toEqual([
    'error',
    expect.stringContaining(`Git cannot read the repository of the folder ${repository}`),
  ]);
});

test('refuses links that lead out of the repository or out of the allowed folders', async () => {
  const outside = await folder();
  await writeFile(join(outside, 'secret.yml'), 'echo leaked\n');
  const allowed = await folder();
  const runner = await testRunner({ config: { localRepositories: [allowed] } });
  const inside = join(allowed, 'code');
  await mkdir(inside);
  await symlink(join(outside, 'secret.yml'), join(inside, 'play.yml'));
  const wayOut = join(allowed, 'way-out');
  await symlink(outside, wayOut);
  for (const [repository, playbook, words] of [
    [inside, 'play.yml', 'lies outside the repository'],
    [wayOut, 'secret.yml', 'is outside the folders that the administrator allows'],
  ] as const) {
    const { status, log } = await runner.run({ repository, playbook, branch: '' });
    expect(status).toBe('error');
    expect(log).toContain(words);
    expect(log).not.toContain('leaked');
  }
});

test('git never runs what an address hides', async () => {
  const runner = await testRunner();
  const place = await gitRepository({ 'play.yml': 'echo hello\n' });
  const mark = join(await folder(), 'touched');
  await mkdir(join(place, '.git', 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'reference-transaction', 'pre-auto-gc']) {
    await writeFile(join(place, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, {
      mode: 0o755,
    });
  }
  expect((await runner.run({ repository: place })).status).toBe('success');
  await expect(readFile(mark)).rejects.toThrow('ENOENT');
});

test('a lock that a killed git left in the mirror does not stop later tasks', async () => {
  const runner = await testRunner();
  const repository = await gitRepository({ 'play.yml': 'cat version\n', version: 'first\n' });
  expect((await runner.run({ repository })).status).toBe('success');
  const mirrors = join(runner.config.dataDir, 'mirrors');
  const [mirror = ''] = await readdir(mirrors);
  await writeFile(join(mirrors, mirror, 'refs/heads/main.lock'), '');
  await commitFiles(repository, { version: 'second\n' });
  const { status, log } = await runner.run({ repository });
  expect([status, log]).toEqual(['success', expect.stringContaining('second')]);
});

test('other users of the machine can read nothing of a run, and nothing stays when it ends', async () => {
  const runner = await testRunner();
  const script = 'echo "inventory ${1#*=}"; while ! [ -e go ]; do sleep 0.05; done\n';
  const task = await runner.launch({
    files: { 'play.yml': script },
    inventory: { type: 'file', inventory: 'hosts' },
    inventoryRepository: { url: await gitRepository({ hosts: 'localhost\n' }) },
  });
  const { dataDir } = runner.config;
  const log = await task.untilLogged('\ninventory /');
  const [run = ''] = await readdir(join(dataDir, 'runs'));
  // Whatever lies below a folder that only we can enter is closed to others too.
  for (const name of ['.', 'runs', `runs/${run}`, 'mirrors']) {
    const { mode } = await stat(join(dataDir, name));
    expect([name, (mode & 0o777).toString(8)]).toEqual([name, '700']);
  }
  const path = join(dataDir, 'runs', run, 'inventory', 'hosts');
  expect(log).toContain(`\ninventory ${path}`);
  expect(await readFile(path, 'utf8')).toBe('localhost\n');
  await writeFile(join(dataDir, 'runs', run, 'checkout', 'go'), '');
  await task.untilStatus('success');
  await until(async () => (await readdir(join(dataDir, 'runs'))).length === 0);
});

test('a local repository of another user runs, and so does its submodule', async () => {
  const runner = await testRunner();
  const inner = await gitRepository({ version: 'inner\n' });
  const repository = await gitRepository({ 'play.yml': 'cat inner/version\n' });
  const allow = ['-c', 'protocol.file.allow=always'];
  await git(repository, ...allow, 'submodule', '--quiet', 'add', inner, 'inner');
  await git(repository, 'commit', '--quiet', '--message', 'Inner');
  for (const path of [inner, repository]) {
    // Root may remove it when the test ends.
    asRoot('chown', ['-R', '4242', path]);
    onTestFinished(() => asRoot('chown', ['-R', String(process.getuid?.()), path]));
  }
  const { status, log } = await runner.run({ repository });
  expect([status, log]).toEqual(['success', expect.stringMatching(/\ninner\n?$/)]);
});

test('a run finds the files as they were committed, and git takes them for unchanged', async () => {
  const runner = await testRunner();
  const repository = await gitRepository({
    'play.yml': `git diff-index HEAD; git status --porcelain --ignored; git fsck --no-dangling 2>&1
find . -path ./.git -prune -o ! -type d -printf '%M %s %l %P\\n'; cat -- "$(printf 'a\\nb')"\n`,
    'a\nb': 'lines\n',
    'grün/"quoted".txt': 'grün\r\n',
  });
  await symlink('/nowhere/at all', join(repository, 'link'));
  await chmod(join(repository, 'a\nb'), 0o755);
  await commitFiles(repository, {});
  for (const _ of ['first', 'next']) {
    const { status, log } = await runner.run({ repository });
    expect([status, log]).toEqual(['success', expect.stringContaining('-rw-r--r-- 7  grün/')]);
    expect(log).toContain('-rwxr-xr-x 6  a\nb\n');
    expect(log).toContain('/nowhere/at all link\n');
    expect(log).not.toMatch(/^(?::|\?\?|!!| [MD]|error|missing)/m);
  }
});

test('what a run changes is not there for the next one', async () => {
  const runner = await testRunner();
  const script = `cat kept; git status --porcelain --ignored; echo changed >kept; echo new >new
git add --all; git config a.b c; git -c user.name=A -c user.email=a@b commit --quiet --message Mine
git log --format=%s\n`;
  const repository = await gitRepository({ 'play.yml': script, kept: 'as committed\n' });
  for (let round = 0; round < 3; round += 1) {
    expect((await runner.run({ repository })).log).toMatch(/\nas committed\nMine\nFirst commit$/);
  }
});

test('attributes of a home folder do not count for a checkout', async () => {
  const repository = await gitRepository({ 'a.txt': 'a\n' });
  const home = await folder();
  await mkdir(join(home, '.config/git'), { recursive: true });
  await writeFile(join(home, '.config/git/attributes'), '*.txt eol=crlf\n');
  const at = { cwd: repository, env: { HOME: home }, user: null };
  expect(await safeGit(['check-attr', 'eol', '--', 'a.txt'], at)).toBe('a.txt: eol: unspecified\n');
});
