// Slow: an environment of Python is made.
// A disk that an installation fills.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPackageIndex } from '../../../test/helpers/package-index.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { smallDisk } from '../../../test/helpers/small-disk.ts';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

test('an installation that fills the disk fails with this reason, and frees its space', async () => {
  const index = await startPackageIndex();
  index.add('greeting', '1.0');
  const dataDir = await smallDisk(8);
  const runner = await testRunner({ config: { dataDir } });
  const repository = await gitRepository({ 'play.yml': 'echo hello\n' });
  const executionEnvironment = toolsEnvironment({
    packages: ['greeting==1.0'],
    index_url: index.url,
  });
  const { status, task, log } = await runner.run({ app: 'bash', repository, executionEnvironment });
  expect(status).toBe('error');
  expect([task.failure, log]).toEqual([
    { code: 'failure.tools_disk', params: { name: 'Tools' } },
    log,
  ]);
  const environments = join(dataDir, 'environments');
  for (const entry of await readdir(environments)) {
    const names = await readdir(join(environments, entry));
    expect(names.filter((name) => name.startsWith('build-'))).toEqual([]);
  }
  const plain = await runner.run({ app: 'bash', repository });
  expect([plain.status, plain.log]).toEqual(['success', expect.stringMatching(/^hello$/m)]);
});
