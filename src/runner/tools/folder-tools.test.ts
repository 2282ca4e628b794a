import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { asRoot } from '../../../test/helpers/unix-user.ts';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

/** Puts in a program that prints these words. */
async function program(path: string, words: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho "${words}"\n`, { mode: 0o755 });
}

const script = 'which-tool; echo "PATH $PATH"; echo "VIRTUAL_ENV ${VIRTUAL_ENV-unset}"\n';

async function setUp() {
  const [runner, place] = [await testRunner(), await folder()];
  const run = (path = place) =>
    runner.run({
      app: 'bash',
      files: { 'play.yml': script },
      executionEnvironment: toolsEnvironment({ folder: path }),
    });
  return { runner, place, run };
}

test('programs of a folder come before those of the runner', async () => {
  const { runner, place, run } = await setUp();
  await program(join(place, 'which-tool'), 'from the folder');
  const plain = await run();
  expect([plain.status, plain.log]).toEqual(['success', plain.log]);
  expect(plain.log).toContain('from the folder');
  expect(plain.log).toContain(`PATH ${place}:${runner.config.path}`);
  expect(plain.log).toContain('VIRTUAL_ENV unset');
  await program(join(place, 'bin/which-tool'), 'from its bin');
  const { log } = await run();
  expect(log).toContain(`Execution environment "Tools": programs of ${place}/bin`);
  expect(log).toContain('from its bin');
  expect(log).toContain(`PATH ${place}/bin:${runner.config.path}`);
});

test('an environment of Python in the folder is activated', async () => {
  const { place, run } = await setUp();
  await program(join(place, 'bin/which-tool'), 'from an environment');
  await writeFile(join(place, 'pyvenv.cfg'), 'home = /usr/bin\n');
  expect((await run()).log).toContain(`VIRTUAL_ENV ${place}`);
});

test('a link to a folder is used, and what counts is the folder behind it', async () => {
  const { place, run } = await setUp();
  await program(join(place, 'real/which-tool'), 'behind a link');
  await symlink(join(place, 'real'), join(place, 'link'));
  expect((await run(join(place, 'link'))).log).toContain('behind a link');
  await chmod(join(place, 'real'), 0o777);
  expect((await run(join(place, 'link'))).task.failure?.code).toBe('failure.tools_writable');
});

test('a folder that cannot be used says what to change', async () => {
  const { place, run } = await setUp();
  const failureOf = async (path?: string) => {
    const { status, task, log } = await run(path);
    expect(status).toBe('error');
    expect(log).not.toContain('PATH ');
    return task.failure;
  };
  const missing = join(place, 'missing');
  expect(await failureOf(missing)).toEqual({
    code: 'failure.tools_folder',
    params: { name: 'Tools', folder: missing },
  });
  const bin = join(place, 'bin');
  await mkdir(bin);
  expect((await failureOf())?.code).toBe('failure.tools_empty');
  await writeFile(join(bin, 'which-tool'), 'no program\n');
  expect((await failureOf())?.code).toBe('failure.tools_empty');
  expect((await failureOf(join(bin, 'which-tool')))?.code).toBe('failure.tools_folder');
  await program(join(bin, 'which-tool'), 'a program');
  await chmod(join(bin, 'which-tool'), 0o755);
  for (const mode of [0o775, 0o757]) {
    await chmod(bin, mode);
    expect(await failureOf()).toEqual({
      code: 'failure.tools_writable',
      params: { name: 'Tools', folder: bin },
    });
  }
  await chmod(bin, 0o755);
  asRoot('chown', ['12345', place]);
  expect(await failureOf()).toEqual({
    code: 'failure.tools_owner',
    params: { name: 'Tools', folder: place },
  });
  asRoot('chown', ['0', place]);
  expect((await run()).log).toContain('a program');
});

test('a task goes on with its programs after a restart, although others may change their folder by then', async () => {
  const { runner, place } = await setUp();
  await program(join(place, 'bin/which-tool'), 'from its bin');
  const gate = join(await folder(), 'gate');
  const task = await runner.launch({
    app: 'bash',
    files: { 'play.yml': `which-tool; until [ -e ${gate} ]; do sleep 0.1; done; echo went on\n` },
    executionEnvironment: toolsEnvironment({ folder: place }),
  });
  await task.untilLogged('from its bin');
  await runner.restart(() => chmod(join(place, 'bin'), 0o777));
  await writeFile(gate, '');
  const { status, log } = await task.untilFinished();
  expect([status, log]).toEqual(['success', expect.stringContaining('went on')]);
});
