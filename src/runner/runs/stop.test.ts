// Stopping before the program runs.

import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../../../test/helpers/processes.ts';
import { fakePrograms } from '../../../test/helpers/programs.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

/** A program that never ends when it is given this argument; the file tells its process. */
async function endless(
  program: string,
  argument: string,
): Promise<{ path: string; pidFile: string }> {
  const path = await folder();
  const pidFile = join(path, 'pid');
  const rest = fakePrograms;
  const script = `#!/bin/sh
case " $* " in *" ${argument} "*) echo $$ > '${pidFile}'; exec sleep 1000 ;; esac
PATH='${rest}' exec ${program} "$@"
`;
  await writeFile(join(path, program), script);
  await chmod(join(path, program), 0o755);
  return { path, pidFile };
}

const slow: [what: string, program: string, argument: string][] = [
  ['whose repository is being fetched', 'git', 'fetch'],
  ['whose roles are being installed', 'ansible-galaxy', 'install'],
];

describe.each(slow)('a task %s', (_what, program, argument) => {
  test.each([
    ['gently', false],
    ['forced', true],
  ])('stops, %s', async (_how, force) => {
    const { path, pidFile } = await endless(program, argument);
    const runner = await testRunner({ config: { path: `${path}:${fakePrograms}` } });
    const mark = join(await folder(), 'ran');
    const launched = await runner.launch({
      files: { 'play.yml': `touch '${mark}'\n`, 'requirements.yml': 'roles: [{ name: polite }]\n' },
    });
    const pid = await until(async () => Number(await readFile(pidFile, 'utf8').catch(() => 0)));
    expect(launched.task.status).toBe('starting');
    launched.stop(force);
    const { status, log } = await launched.untilFinished();
    expect(status).toBe('stopped');
    expect(await until(() => !isRunning(pid))).toBe(true);
    expect(log).toMatch(/\nStopped\.$/);
    const runs = join(runner.config.dataDir, 'runs');
    expect(await until(async () => (await readdir(runs)).length === 0)).toBe(true);
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  });
});
