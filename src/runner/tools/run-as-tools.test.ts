// Slow: environments of Python are made, and packages are installed for users of their own.
// Execution environments for tasks that have users of their own.

import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPackageIndex } from '../../../test/helpers/package-index.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { prepareIsolation } from '../workspace/run-users.ts';

const script = `echo "I am $(id -u)"
greeting
module=$(python3 -c 'import greeting; print(greeting.__file__)')
( echo >> "$module" ) 2>/dev/null || echo 'cannot change it'
( touch "$(dirname "$module")/new" ) 2>/dev/null || echo 'cannot add to it'
`;

test(
  'packages are installed as the user of one task, for all users, and none may change them',
  { timeout: 180_000 },
  async () => {
    const index = await startPackageIndex();
    index.add('greeting', '1.0');
    const repository = await gitRepository({ 'play.yml': script });
    // As a local repository lies: others may read it.
    await chmod(repository, 0o755);
    // The last one is that of inspections.
    const users = makeRunUsers(3);
    const runner = await testRunner({
      config: { runAs: users, path: '/usr/local/bin:/usr/bin:/bin' },
      isWaiting: true,
    });
    await prepareIsolation(runner.config);
    await runner.start();
    const environments = join(runner.config.dataDir, 'environments');
    const task = {
      app: 'bash',
      repository,
      executionEnvironment: toolsEnvironment({
        packages: ['greeting==1.0'],
        index_url: index.url,
      }),
    };
    // Both at once, so each has a user of its own.
    const both = [await runner.launch(task), await runner.launch(task)];
    const logs: string[] = [];
    for (const one of both) {
      const { status, log } = await one.untilFinished();
      expect([status, log]).toEqual(['success', expect.stringMatching(/^greeting 1\.0 /m)]);
      expect(log).toContain('cannot change it\ncannot add to it');
      logs.push(log);
    }
    for (const { uid } of users.slice(0, 2)) expect(logs.join('\n')).toContain(`I am ${uid}`);
    const [entry = '', ...others] = await readdir(environments);
    expect(others).toEqual([]);
    const names = await readdir(join(environments, entry), { recursive: true });
    for (const name of names.filter((one) => one.includes('greeting'))) {
      const { uid, mode } = await stat(join(environments, entry, name));
      expect([name, uid, mode & 0o022, mode & 0o004]).toEqual([name, 0, 0, 4]);
    }
    expect((await stat(environments)).mode & 0o777).toBe(0o711);
    expect((await stat(join(environments, entry, 'build.log'))).mode & 0o777).toBe(0o600);
  },
);
