// Real Python, with a package that the test builds itself: no index is asked for anything.

import { execFileSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp, type TestApp } from '../helpers/app.ts';
import { useQuickPython } from '../helpers/quick-python.ts';
import { commitFiles, git, folder, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { repositories } from '#shared/api/repositories.ts';

const makeWheel = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + '/greeting-1.0-py3-none-any.whl', 'w') as wheel:
    info = 'greeting-1.0.dist-info/'
    wheel.writestr('greeting.py', 'def hello(name): return "hello " + name\\n')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;

const script = `
import sys, greeting
print(greeting.hello("world"), sys.argv[1:], sys.prefix != sys.base_prefix)
`;

async function projectWithPackage(app: TestApp) {
  const path = await folder();
  await git(path, 'init', '--quiet');
  execFileSync('python3', ['-c', makeWheel, path]);
  await commitFiles(path, {
    'tools/main.py': script,
    'tools/requirements.txt': './greeting-1.0-py3-none-any.whl\n',
  });
  const seed = await seedProject(app.admin, null);
  const repository = await app.admin.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: { name: 'Python', git_url: path, git_branch: 'main', ssh_key_id: seed.keyId },
  });
  const fields = { app: 'python', playbook: 'tools/main.py', repository_id: repository.id };
  return { seed, template: await seed.template({ ...fields, allow_parallel_tasks: true }) };
}

test('packages of a requirements.txt are installed once, also by runs at once, and kept', async () => {
  const app = await testApp({ runner: true });
  const { seed, template } = await projectWithPackage(app);
  const run = () => launch(app.admin, seed.projectId, { template_id: template.id });
  const both = [await run(), await run()];
  for (const task of both) await untilFinished(app.admin, task);
  const third = await untilFinished(app.admin, await run());
  const logs = await Promise.all([...both, third].map((task) => logText(app.admin, task)));
  for (const log of logs) expect(log).toContain('hello world [] True');
  const installing = logs.filter((log) => log.includes('installing packages'));
  const kept = logs.filter((log) => log.includes('packages are installed already'));
  expect([installing.length, kept.length]).toEqual([1, 2]);
});

test('what a crash left of an installation is not used', async () => {
  const app = await testApp({ runner: true });
  await useQuickPython(app);
  const { seed, template } = await projectWithPackage(app);
  const run = async () => {
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    return untilFinished(app.admin, task);
  };
  await run();
  const venvs = join(app.ctx.config.dataDir, 'venvs');
  const [name = ''] = await readdir(venvs);
  await rm(join(venvs, name, 'complete'));
  await rm(join(venvs, name, 'bin/python'));
  const task = await run();
  expect(await logText(app.admin, task)).toContain('hello world [] True');
});

test('packages that cannot be installed end the task before its script', async () => {
  const app = await testApp({ runner: true });
  await useQuickPython(app);
  const seed = await seedProject(app.admin, {
    'main.py': 'print("ran")\n',
    'requirements.txt': './missing-1.0-py3-none-any.whl\n',
  });
  const template = await seed.template({ app: 'python', playbook: 'main.py' });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  const log = await logText(app.admin, task);
  expect(log).toContain('Installing the packages of requirements.txt failed.');
  expect(log).not.toMatch(/^ran$/m);
});

test('a script without requirements runs with the Python of the server', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, {
    'main.py':
      'import os, sys\nprint(sys.argv[1:], os.environ["word"], sys.prefix == sys.base_prefix)\n',
  });
  const template = await seed.template({
    app: 'python',
    playbook: 'main.py',
    survey_vars: [{ name: 'word', title: 'Word' }],
  });
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    environment: '{"word": "x y"}',
  });
  await untilFinished(app.admin, task);
  expect(await logText(app.admin, task)).toContain('[] x y True');
});
