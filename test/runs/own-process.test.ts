// Only on SQLite: the process of the runner knows no database.
// Slow: processes of runners are killed and started again.
// The runner beside a server is a process of its own, which ends and begins apart from it.

import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../helpers/api-client.ts';
import { makeGate } from '../helpers/gate.ts';
import { commitFiles, git } from '../helpers/seed.ts';
import { serverPassword, startServer, type TestServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const runnerPid = async ({ dataDir }: TestServer): Promise<number> => {
  const note = await readFile(join(dataDir, 'runner.pid'), 'utf8').catch(() => '');
  return Number(note.split(' ')[0]);
};

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function launchScript(server: TestServer, call: ApiCall, script: string): Promise<string> {
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Runs' });
  const project = `/api/project/${id}`;
  const code = join(server.dataDir, 'repositories', 'code');
  await mkdir(code);
  await git(code, 'init', '--quiet', '--initial-branch=main');
  await commitFiles(code, { 'run.sh': script });
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, body)).id;
  const ssh_key_id = await create('keys', { name: 'Nothing', type: 'none' });
  const access = { git_url: code, git_branch: 'main', ssh_key_id };
  const repository_id = await create('repositories', { name: 'Code', ...access });
  const template = { name: 'Run', app: 'bash', playbook: 'run.sh', repository_id };
  const template_id = await create('templates', template);
  const task = await call<Task>('POST', `${project}/tasks`, { template_id });
  return `${project}/tasks/${task.id}`;
}

const lines = async (call: ApiCall, task: string): Promise<string[]> =>
  (await call<{ output: string }[]>('GET', `${task}/output`)).map(({ output }) => output);

test('tasks outlive their runner, the server starts the next one, and both end together', async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const call = await connectApi(server);
  const gate = await makeGate();
  const script = `for n in 1 2 3; do echo "line $n"; done; ${gate.wait}; echo "line 4"\n`;
  const task = await launchScript(server, call, script);
  await until(async () => (await lines(call, task)).includes('line 3'));
  const first = await runnerPid(server);
  process.kill(first, 'SIGKILL');
  await gate.open();
  const second = await until(async () => {
    const pid = await runnerPid(server);
    return pid !== first && isThere(pid) && pid;
  });
  const { status } = await until(async () => {
    const now = await call<Task>('GET', task);
    return isFinished(now.status) && now;
  });
  expect(status).toBe('success');
  const counted = (await lines(call, task)).filter((line) => line.startsWith('line '));
  expect(counted).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
  expect(server.printedErrors()).toContain('runner process exited; restarting');
  await server.end('SIGKILL');
  expect(await until(() => !isThere(second))).toBe(true);
});

test('the runner is told no secret of the server, and answers to its own credential only', async () => {
  const server = await startServer({ env: { LDAP_PASSWORD: 'canary' } });
  onTestFinished(() => server.stop());
  const pid = await until(async () => (await runnerPid(server)) || null);
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  const kept = environment.split('\0').filter(Boolean);
  expect(kept.filter((one) => !/^(?:PATH|MALLOC_ARENA_MAX)=/.test(one))).toEqual([]);
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8');
  expect(`${environment}${title}`).not.toMatch(/canary/);
  expect(`${environment}${title}`).not.toContain(serverPassword);
  const ask = (path: string, credential: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const options = {
        socketPath: join(server.dataDir, 'runner.sock'),
        path,
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      };
      request(options, ({ statusCode = 0 }) => resolve(statusCode))
        .on('error', reject)
        .end('{}');
    });
  const { mode } = await stat(join(server.dataDir, 'runner.sock'));
  expect((mode & 0o777).toString(8)).toBe('600');
  expect(await ask('/api/runner/news', 'sbc_of_nobody')).toBe(401);
  expect(await ask('/api/runner/tasks/1/secrets', 'x'.repeat(43))).toBe(401);
  expect(await ask('/api/auth/login', '')).toBe(404);
  expect(await ask('/api/runnersomething', '')).toBe(404);
});

test('the runner and its programs give way to the server', async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const call = await connectApi(server);
  const task = await launchScript(server, call, 'echo "nice $(nice)"\n');
  await until(async () => isFinished((await call<Task>('GET', task)).status));
  const pid = await runnerPid(server);
  const given = getPriority() + 5;
  expect([getPriority(pid), await lines(call, task)]).toEqual([
    given,
    expect.arrayContaining([`nice ${given}`]),
  ]);
});

test('the command gives the server and its runner a small heap and one arena', async () => {
  const server = await startServer({ byCommand: true, env: { MALLOC_ARENA_MAX: '' } });
  onTestFinished(() => server.stop());
  const pids = [server.child.pid, await until(async () => (await runnerPid(server)) || null)];
  for (const pid of pids) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    expect(words.slice(1, 3)).toEqual(['--max-semi-space-size=8', '--heap-growing-percent=40']);
    const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
    expect(environment).toContain('MALLOC_ARENA_MAX=1');
  }
});

test('where the path of the data folder is too long for a socket, it lies elsewhere', async () => {
  const parent = join('/tmp', `signalbox-test-${process.pid}-${'long'.repeat(20)}`);
  await mkdir(parent, { recursive: true });
  const server = await startServer({ dataDir: join(parent, 'data') });
  onTestFinished(async () => {
    await server.stop();
    await rm(parent, { recursive: true, force: true });
  });
  const call = await connectApi(server);
  const task = await launchScript(server, call, 'echo done\n');
  const { status } = await until(async () => {
    const now = await call<Task>('GET', task);
    return isFinished(now.status) && now;
  });
  expect(status).toBe('success');
});
