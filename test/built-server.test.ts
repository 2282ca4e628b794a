// Slow: servers are packed, started and ended.
// The built server as it lies in an image: without sources, started by the command `signalbox`; and as
// it lies on the machine of a remote runner, without packages too. So operation.md and
// remote-runners.md of the guide say it.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { InventoryPreview } from '#shared/api/inventories.ts';
import type { RunnerRegistration } from '#shared/api/runners.ts';
import { packRunner } from '../scripts/pack-runner.ts';
import { version } from '../src/node/process/version.ts';
import { connectApi } from './helpers/api-client.ts';
import { expectDemoTask } from './helpers/demo-task.ts';
import { until } from './helpers/until.ts';

const checkout = join(import.meta.dirname, '..');
const password = 'a password for tests';
let root: string;

beforeAll(async () => {
  // The command finds its folder by its real path.
  root = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-image-')));
  const build = join(root, 'dist/server/image');
  await mkdir(join(root, 'dist/web/assets'), { recursive: true });
  for (const page of ['index.html', 'api-docs.html']) {
    await writeFile(join(root, 'dist/web', page), '<html>the console</html>');
  }
  for (const path of ['bin', 'deploy', 'package.json']) {
    await cp(join(checkout, path), join(root, path), { recursive: true });
  }
  await symlink(await realpath(join(checkout, 'node_modules')), join(root, 'node_modules'));
  execFileSync(process.execPath, [join(checkout, 'scripts/build-server.ts'), build]);
}, 300_000);
afterAll(() => rm(root, { recursive: true, force: true }));

function command(
  args: string[],
  settings: Record<string, string> = {},
  place = root,
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(join(place, 'bin/signalbox'), args, {
    // Without packages the command uses the Node of the machine.
    env: { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', resolve));

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  return () => text;
}

test('answers its version, and refuses what it does not know', async () => {
  const child = command(['version']);
  const printed = collect(child);
  expect([await ended(child), printed()]).toEqual([0, `${version}\n`]);
  const wrong = command(['no-such-command']);
  const words = collect(wrong);
  expect(await ended(wrong)).toBe(1);
  expect(words()).toContain('There is no command "no-such-command".');
});

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-built-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startServer(settings: Record<string, string> = {}) {
  const child = command(['server'], {
    SIGNALBOX_DATA_DIR: await newFolder(),
    SIGNALBOX_PORT: '0',
    SIGNALBOX_ADMIN_PASSWORD: password,
    ...settings,
  });
  const printed = collect(child);
  const [, address = ''] = await until(() => /is ready: (http:\S+)/.exec(printed()));
  return { child, printed, address };
}

test('serves the console, runs Ansible and finds every file that it needs', async () => {
  const { child, printed, address } = await startServer();
  const page = await fetch(address);
  expect(await page.text()).toContain('the console');
  const call = await connectApi({ address, password });
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Demo', demo: true });
  await expectDemoTask(call, id);
  const text = { type: 'static', inventory: '[web]\nweb1\n' };
  const preview = await call<InventoryPreview>(
    'POST',
    `/api/project/${id}/inventory/preview`,
    text,
  );
  expect(preview).toMatchObject({ parsed: true, host_count: 1 });
  const guessed = { name: 'A', username: 'anna', email: 'a@example.com', password: 'password123' };
  await expect(call('POST', '/api/users', guessed)).rejects.toThrow('user.password_common');
  const document = await call<{ openapi: string }>('GET', '/api/openapi.json');
  expect(document.openapi).toBe('3.1.0');
  child.kill('SIGTERM');
  expect([await ended(child), printed()]).toEqual([0, expect.not.stringContaining('"error"')]);
});

test('a remote runner runs a task with nothing but the packed files and Node', async () => {
  const place = await newFolder();
  packRunner(root, join(place, 'runner.tar.gz'));
  execFileSync('tar', ['-xzf', 'runner.tar.gz'], { cwd: place });
  const { child, address } = await startServer({ SIGNALBOX_ROLE: 'web' });
  const call = await connectApi({ address, password });
  const { token } = await call<RunnerRegistration>('POST', '/api/runners', {
    name: 'Small',
    tags: [],
  });
  const settings = {
    SIGNALBOX_DATA_DIR: await newFolder(),
    SIGNALBOX_SERVER_URL: address,
    SIGNALBOX_RUNNER_TOKEN: token,
    SIGNALBOX_LOCAL_REPOSITORIES: '/',
  };
  const runner = command(['server'], settings, place);
  const printed = collect(runner);
  await until(() => printed().includes(`Runner Small works for ${address}`));
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Demo', demo: true });
  await expectDemoTask(call, id);
  runner.kill('SIGTERM');
  expect([await ended(runner), printed()]).toEqual([0, expect.not.stringContaining('"error"')]);
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
});
