// Slow: environments of Python are made, and a process is killed.
// What a runner that was killed with -9 leaves of an installation.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPackageIndex } from '../../../test/helpers/package-index.ts';
import { quickPython } from '../../../test/helpers/quick-python.ts';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { until } from '../../../test/helpers/until.ts';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const program = join(import.meta.dirname, '../../../test/helpers/killed-runner.ts');

/** The processes whose arguments contain a text. */
const processesWith = (text: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });

test('an installation of a runner that was killed is not used, and its processes end', async () => {
  const index = await startPackageIndex();
  index.add('greeting', '1.0');
  const config = await runnerSettings();
  const wanted = toolsEnvironment({
    packages: ['greeting==1.0'],
    index_url: index.url,
    python: quickPython(),
  });
  const environments = join(config.dataDir, 'environments');
  const release = index.hold();
  const killed = spawn(process.execPath, [program, JSON.stringify({ config, wanted })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  killed.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
  await until(() => printed.includes('Looking in indexes'), 60);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  // pip goes on without its runner.
  expect(processesWith(environments)).not.toEqual([]);
  const [entry = ''] = await readdir(environments);
  const builds = async () =>
    (await readdir(join(environments, entry))).filter((name) => name.startsWith('build-'));
  const [half] = await builds();
  const runner = await testRunner({ config });
  await until(() => processesWith(join(environments, entry, half ?? 'none')).length === 0, 60);
  release();
  const { status, log } = await runner.run({
    app: 'bash',
    files: { 'play.yml': 'greeting\n' },
    executionEnvironment: wanted,
  });
  expect([status, log]).toEqual(['success', expect.stringMatching(/^greeting 1\.0 /m)]);
  expect(log).toContain('installing its packages with');
  const [whole, ...others] = await builds();
  expect(others).toEqual([]);
  expect(whole).not.toBe(half);
});
