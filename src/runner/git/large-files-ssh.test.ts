// Slow: git-lfs asks a failing server again for some seconds.
// Git LFS over ssh, with the real git-lfs and a real ssh server: why files cannot be fetched.

import { expect, test } from 'vitest';
import { pointerTo, startGitHttp } from '../../../test/helpers/git-http.ts';
import { commitFiles, folder, git } from '../../../test/helpers/seed.ts';
import { startSshServer } from '../../../test/helpers/sshd.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import { sshKey } from '../../../test/runner/given.ts';
import { testRunner, type TestRunnerOptions } from '../../../test/runner/test-runner.ts';
import { prepareIsolation } from '../workspace/run-users.ts';

const content = Buffer.from('the real content\n');

// In milliseconds: git-lfs tries six times.
const longTime = 120_000;

/** A repository behind ssh with a file in Git LFS. */
async function behindSsh(options: TestRunnerOptions = {}) {
  const code = await folder();
  await git(code, 'init', '--quiet');
  for (const name of ['clean', 'process']) await git(code, 'config', `filter.lfs.${name}`, '');
  await git(code, 'config', 'filter.lfs.required', 'false');
  await commitFiles(code, {
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    'play.yml': 'cat app.bin\n',
    'app.bin': pointerTo(content),
  });
  const server = await startSshServer();
  const key = sshKey(await server.allowKey('ed25519'), { login: server.user });
  const runner = await testRunner({ ...options, isWaiting: true });
  await prepareIsolation(runner.config);
  await runner.start();
  const run = () => runner.run({ repository: `ssh://127.0.0.1:${server.port}${code}`, key });
  const fail = async () => {
    const { status, log } = await run();
    expect([status, log]).toEqual(['error', expect.stringContaining('Git LFS: fetching')]);
    return log.slice(log.indexOf('Git LFS: fetching'));
  };
  /** Serves git, and answers git-lfs, which asks with the older or the newer of its protocols. */
  const answer = ({ older = 'exit 127', newer = 'exit 127' }) =>
    server.answerWith(
      'case $SSH_ORIGINAL_COMMAND in\n' +
        `git-lfs-authenticate*) ${older} ;;\n` +
        `git-lfs-transfer*) ${newer} ;;\n` +
        '*) eval "$SSH_ORIGINAL_COMMAND" ;;\nesac\n',
    );
  return { answer, run, fail };
}

test(
  'that a server has no Git LFS, or refuses to tell of it, is the reason',
  async () => {
    const { answer, fail } = await behindSsh();
    const missing = await fail();
    expect(missing).toContain('The ssh server of the repository has no Git LFS.');
    expect(missing.match(/git-lfs-authenticate: .*not found/g)).toHaveLength(1);
    expect(missing).not.toContain('git-lfs-transfer');
    await answer({ older: 'echo "forge: you may not read the files" >&2; exit 1' });
    expect(await fail()).toContain('forge: you may not read the files');
  },
  longTime,
);

test(
  'the words of a server that has the newer protocol only are not hidden by the older one',
  async () => {
    const { answer, fail } = await behindSsh();
    await answer({ newer: 'echo "forge: no right to files" >&2; exit 1' });
    expect(await fail()).toContain('forge: no right to files');
  },
  longTime,
);

test(
  'a key that is refused by now is told in the words of ssh',
  async () => {
    const { answer, fail } = await behindSsh();
    await answer({ newer: ': > "$ALLOWED"; exit 1' });
    expect((await fail()).match(/Permission denied \(publickey/g)).toHaveLength(1);
  },
  longTime,
);

test(
  'with a user for the task files are fetched over ssh, and what goes wrong is told',
  async () => {
    const { answer, run, fail } = await behindSsh({ config: { runAs: makeRunUsers(1) } });
    await answer({ older: 'echo "forge: come back later" >&2; exit 1' });
    expect(await fail()).toContain('forge: come back later');
    const files = await startGitHttp({ root: await folder(), largeFiles: [content] });
    const place = JSON.stringify({ href: `${files.url}code.git/info/lfs` });
    await answer({ older: `echo "forge: welcome" >&2; echo '${place}'` });
    const { status, log } = await run();
    expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
    expect(log).not.toContain('welcome');
  },
  longTime,
);
