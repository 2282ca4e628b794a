// Tests how images come to a runner, with a real podman and a real registry, and what is said when they do not.

import { createServer } from 'node:net';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  containerSettings,
  startPodman,
  type TestPodman,
} from '../../../test/helpers/containers.ts';
import { startRegistry, type Registry } from '../../../test/helpers/registry.ts';
import { smallDisk } from '../../../test/helpers/small-disk.ts';
import { login, type TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { dataLabel } from './left.ts';
import { sweepEngine } from './sweep-engine.ts';
import type { ContainerConfig } from '../config/runner-config.ts';

let podman: TestPodman;
let registry: Registry;

beforeAll(async () => {
  podman = startPodman();
  registry = await startRegistry();
}, 120_000);

afterAll(async () => {
  podman.close();
  await registry.close();
}, 120_000);

const runnerWith = (containers: Partial<ContainerConfig> = {}) =>
  testRunner({
    config: { path: podman.path, containers: { ...containerSettings, ...containers } },
  });

const withImage = (image: string, given: TaskInput = {}): TaskInput => ({
  app: 'bash',
  playbook: 'run.sh',
  files: { 'run.sh': 'echo ran\n' },
  ...given,
  execution: { kind: 'container', image, ...given.execution },
});

const bash = { programs: { bash: '#!/bin/sh\nexec sh "$@"\n' } };

/** Makes an image that is only in the registry. */
function publish(name: string): string {
  const image = `${registry.host}/${name}`;
  podman.makeImage(image, bash);
  podman.podman('push', '--quiet', `--creds=${registry.login}:${registry.password}`, image);
  podman.podman('rmi', image);
  return image;
}

test('an image that is larger than the disk says which folder is full', async () => {
  const image = `${registry.host}/large:1`;
  const large = '#'.repeat(60 * 1024 * 1024);
  podman.makeImage(image, { programs: { large } });
  podman.podman('push', '--quiet', `--creds=${registry.login}:${registry.password}`, image);
  podman.podman('rmi', image);
  const store = await smallDisk(40);
  const small = startPodman(store);
  onTestFinished(() => small.close());
  const containers = { ...containerSettings };
  const runner = await testRunner({ config: { path: small.path, containers } });
  const given = { registry: login(registry.login, registry.password) };
  const { task, status } = await runner.run(withImage(image, given));
  expect(status).toBe('error');
  expect(task.failure).toMatchObject({
    code: 'failure.image_store_full',
    params: { image, folder: store },
  });
});

test('an image is pulled with the login of its execution environment, which stays nowhere', async () => {
  const image = publish('tools:1');
  const runner = await runnerWith();
  const given = { registry: login(registry.login, registry.password) };
  const { status, log, task } = await runner.run(withImage(image, given));
  expect(log).toContain(`Pulling the image ${image}`);
  expect(log).toContain('\nran');
  expect(status).toBe('success');
  expect(task.tools?.image?.name).toBe(image);
  expect(log).not.toContain(registry.password);
  // It is on the runner by now.
  expect((await runner.run(withImage(image))).log).not.toContain('Pulling');
  expect(await readdir('/dev/shm')).not.toContain('registry');
});

test('without the login, or with a wrong one, the failure says what to check', async () => {
  const image = publish('private:1');
  const runner = await runnerWith();
  const without = await runner.run(withImage(image));
  expect(without.task.failure?.code).toBe('failure.image_pull');
  const wrong = await runner.run(
    withImage(image, { registry: login(registry.login, 'wr0ng-one') }),
  );
  expect(wrong.task.failure?.code).toBe('failure.image_pull_login');
  expect(wrong.log).not.toContain('wr0ng-one');
});

test('an image that is never pulled has to be there', async () => {
  const image = publish('never:1');
  const runner = await runnerWith();
  const execution = { pull: 'never' as const };
  const { task, log } = await runner.run(withImage(image, { execution }));
  expect(task.failure).toEqual({ code: 'failure.image_missing', params: { image } });
  expect(log).not.toContain('Pulling');
});

test('an image with this rule is pulled for each task, so that a changed one is used', async () => {
  const image = publish('always:1');
  const runner = await runnerWith();
  const given = {
    registry: login(registry.login, registry.password),
    execution: { pull: 'always' as const },
  };
  const first = await runner.run(withImage(image, given));
  podman.makeImage(image, { programs: { bash: '#!/bin/sh\necho changed\nexec sh "$@"\n' } });
  podman.podman('push', '--quiet', `--creds=${registry.login}:${registry.password}`, image);
  podman.podman('rmi', '--force', image);
  const second = await runner.run(withImage(image, given));
  expect(second.log).toContain('changed');
  expect(second.task.tools?.image?.digest).not.toBe(first.task.tools?.image?.digest);
});

test('a registry that hangs costs a task only the time that the administrator allows', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const runner = await runnerWith({ pullSeconds: 2 });
  const { task } = await runner.run(withImage(`127.0.0.1:${port}/slow:1`));
  expect(task.failure?.code).toBe('failure.image_pull_timeout');
});

test('an image for another architecture is refused before it runs', async () => {
  const image = 'localhost/other:1';
  podman.makeImage(image, { ...bash, architecture: 's390x' });
  const { task } = await (await runnerWith()).run(withImage(image));
  expect(task.failure?.code).toBe('failure.image_architecture');
});

test('an image without a shell is refused in words', async () => {
  const image = 'localhost/bare:1';
  podman.makeImage(image, { commands: ['cat'] });
  const { task } = await (await runnerWith()).run(withImage(image));
  expect(task.failure).toEqual({ code: 'failure.image_without_sh', params: { image } });
});

test('an image without the program of the task, or without Python, is named with it', async () => {
  const image = 'localhost/shell:1';
  podman.makeImage(image);
  const runner = await runnerWith();
  const bare = await runner.run(withImage(image));
  expect([bare.task.exitCode, bare.task.failure]).toEqual([
    127,
    { code: 'failure.image_without_program', params: { image, program: 'bash' } },
  ]);
  const files = { 'run.py': 'print("ran")\n', 'site.yml': '[]\n', 'requirements.yml': '[]\n' };
  for (const [app, playbook, program] of [
    ['python', 'run.py', 'python3'],
    ['ansible', 'site.yml', 'ansible-playbook'],
  ] as const) {
    const { task } = await runner.run(withImage(image, { app, playbook, files }));
    expect(task.failure).toEqual({
      code: 'failure.image_without_program',
      params: { image, program },
    });
  }
});

test('a script that ends with 127 by itself is no missing program', async () => {
  const image = 'localhost/own-code:1';
  podman.makeImage(image, bash);
  const files = { 'run.sh': 'exit 127\n' };
  const { task } = await (await runnerWith()).run(withImage(image, { files }));
  expect(task.failure).toMatchObject({ code: 'failure.exit_code', params: { code: 127 } });
});

test('an image that its registry does not have is refused with its name and tag', async () => {
  const image = `${registry.host}/nowhere:1`;
  const given = { registry: login(registry.login, registry.password) };
  const { task } = await (await runnerWith()).run(withImage(image, given));
  expect(task.failure).toEqual({ code: 'failure.image_pull_login', params: { image } });
});

test('a runner without an engine says so', async () => {
  const runner = await runnerWith({ engine: 'none' });
  const { task } = await runner.run(withImage('localhost/shell:1'));
  expect(task.failure?.code).toBe('failure.container_engine');
});

test('a user of the image without a name runs nothing: the programs are those of the runner', async () => {
  const image = 'localhost/nobody:1';
  podman.makeImage(image, { ...bash, changes: ['USER 4711'] });
  const files = { 'run.sh': 'id -u; touch made && echo written\n' };
  const { log } = await (await runnerWith()).run(withImage(image, { files }));
  expect(log).toContain(`\n${process.getuid?.()}\n`);
  expect(log).toContain('written');
});

test('images that tasks have pulled are removed when they are too many, others and those in use never', async () => {
  const images = [publish('old:1'), publish('used:1')] as const;
  const runner = await runnerWith();
  const given = { registry: login(registry.login, registry.password) };
  for (const image of images) await runner.run(withImage(image, given));
  podman.makeImage('localhost/foreign:1', bash);
  const has = (image: string): boolean => podman.podman('images', '-q', image) !== '';
  const sweep = (keptImageBytes: number) =>
    sweepEngine({ ...runner.config, containers: { ...containerSettings, keptImageBytes } });
  await sweep(0);
  expect(images.map(has)).toEqual([true, true]);
  const size = Number(podman.podman('image', 'inspect', '--format', '{{.Size}}', images[1]));
  await sweep(size + 1);
  expect(images.map(has)).toEqual([false, true]);
  await sweep(1);
  expect([...images, 'localhost/foreign:1'].map(has)).toEqual([false, false, true]);
});

test('containers of runs whose folders are gone are removed', async () => {
  const runner = await runnerWith();
  podman.makeImage('localhost/shell:1');
  const named = ['--label', dataLabel(runner.config), '--name', 'signalbox-1-gone-step-1-x'];
  podman.podman('create', ...named, 'localhost/shell:1', 'sh');
  podman.podman('create', '--name', 'of-somebody', 'localhost/shell:1', 'sh');
  await sweepEngine(runner.config);
  expect(podman.podman('ps', '--all', '--format', '{{.Names}}')).toBe('of-somebody\n');
  podman.podman('rm', 'of-somebody');
});
