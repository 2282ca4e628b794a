// Slow: environments of Python are made.
// What uv is called with, by a stand-in that does the same with venv and pip. The real one is tried by
// `npm run test:toolchains`.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPackageIndex } from '../../../test/helpers/package-index.ts';
import { quickPython } from '../../../test/helpers/quick-python.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

/** A folder with a uv that finds a Python 3.98, which is on no PATH. */
async function standIn() {
  const place = await folder();
  const calls = join(place, 'calls');
  const script = `#!/bin/sh
echo "$* index=$UV_DEFAULT_INDEX downloads=$UV_PYTHON_DOWNLOADS certificates=$UV_SYSTEM_CERTS" >> ${calls}
case "$1 $2" in
  'python find') [ "$4" = 3.98 ] && echo ${place}/python ;;
  'venv --no-project') exec ${quickPython()} -m venv "$5" ;;
  'pip install') exec "$4" -m pip install --requirement "$6" ;;
esac
`;
  await writeFile(join(place, 'uv'), script, { mode: 0o755 });
  const python = `#!/bin/sh
[ "$1" = -I ] && echo '["${place}/python", [3, 98, 1]]'
`;
  await writeFile(join(place, 'python'), python, { mode: 0o755 });
  return { place, path: `${place}:${process.env['PATH']}`, calls: () => readFile(calls, 'utf8') };
}

test('uv installs packages where it is on the PATH, with a Python that it knows', async () => {
  const index = await startPackageIndex();
  index.add('greeting', '1.0');
  const { place, path, calls } = await standIn();
  const runner = await testRunner({ config: { path } });
  const environment = { packages: ['greeting==1.0'], index_url: index.url };
  const run = (python: string) =>
    runner.run({
      app: 'bash',
      files: { 'play.yml': 'greeting\n' },
      executionEnvironment: toolsEnvironment({ ...environment, python }),
    });
  const { status, log } = await run('3.98');
  expect([status, log]).toEqual(['success', expect.stringMatching(/^greeting 1\.0 /m)]);
  expect(log).toContain(`with uv and Python 3.98.1 (${place}/python)`);
  const settings = `index=${index.url} downloads=never certificates=true`;
  const [found, made, installed, ...others] = (await calls()).trim().split('\n');
  expect(found).toMatch(/^python find --no-project 3\.98 /);
  expect(made).toMatch(new RegExp(`^venv --no-project --python ${place}/python \\S+ ${settings}$`));
  // The packages are in a file: arguments can be read by other users of the machine.
  expect(installed).toMatch(
    new RegExp(`^pip install --python \\S+ --requirement \\S+ ${settings}$`),
  );
  expect(others).toEqual([]);
  await run('3.98');
  expect((await calls()).trim().split('\n')).toHaveLength(3);
  const wrong = await run('3.97');
  expect(wrong.task.failure?.code).toBe('failure.python_missing');
});
