// What becomes of the programs of a task.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../../test/helpers/processes.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';
import { listProcesses } from '../programs/processes.ts';

/** Runs this shell script as a playbook: see test/fixtures/bin. */
const runOnce = async (script: string) =>
  (await testRunner()).run({ files: { 'play.yml': script } });

const leftovers = ({ config }: TestRunner): Promise<string[]> =>
  readdir(join(config.dataDir, 'runs'));

test('a program that fails makes the task fail, and the log says how', async () => {
  const { status, log, task } = await runOnce('echo before; exit 4\n');
  expect(status).toBe('error');
  expect(log).toContain('before\nansible-playbook ended with the exit code 4.');
  expect([task.exitCode, task.failure]).toEqual([
    4,
    { code: 'failure.exit_code', params: { program: 'ansible-playbook', code: 4 } },
  ]);
});

test('a program ended by a signal makes the task fail, and the log names the signal', async () => {
  const { status, log, task } = await runOnce('kill -9 $$\n');
  expect(status).toBe('error');
  expect(log).toContain('was killed by the signal SIGKILL');
  expect([task.exitCode, task.failure?.params['signal']]).toEqual([137, 'SIGKILL']);
});

test('a task that cannot be prepared keeps the reason, without its secrets', async () => {
  const runner = await testRunner();
  const { status, log, task } = await runner.run({
    files: { 'play.yml': ':\n' },
    playbook: '../canary-missing/play.yml',
    secrets: { process: { TOKEN: 'canary-missing' } },
  });
  expect(status).toBe('error');
  expect(task.failure?.code).toBe('failure.preparation');
  const reason = String(task.failure?.params['reason']);
  expect(reason).toContain('********');
  expect(log).toContain(reason);
  expect([task.exitCode, task.start === null]).toEqual([null, false]);
});

test('a task that succeeds has the exit code 0, and one that is stopped has no reason', async () => {
  const { task } = await runOnce(':\n');
  expect([task.exitCode, task.failure]).toEqual([0, null]);
  const runner = await testRunner();
  const launched = await runner.launch({ files: { 'play.yml': 'echo begun; sleep 1000\n' } });
  await launched.untilLogged('\nbegun');
  launched.stop(true);
  await launched.untilFinished();
  expect([launched.task.exitCode, launched.task.failure]).toEqual([null, null]);
});

test('gives the program nothing of the server but what a run needs', async () => {
  process.env['SIGNALBOX_CANARY'] = 'x';
  const { log } = await runOnce('env | sed "s/^/env:/"; ps -o pid=,pgid=,sid= -p $$\n');
  delete process.env['SIGNALBOX_CANARY'];
  const names = [...log.matchAll(/^env:(\w+)=/gm)].map(([, name]) => String(name)).toSorted();
  expect(names).toEqual([
    'ANSIBLE_FORCE_COLOR',
    'ANSIBLE_PERSISTENT_CONTROL_PATH_DIR',
    'ANSIBLE_SSH_CONTROL_PATH_DIR',
    'HOME',
    'LANG',
    'PATH',
    'PWD',
    'PYTHONUNBUFFERED',
    'SIGNALBOX_OUTPUTS',
    'SIGNALBOX_PROGRESS_FILE',
    'SIGNALBOX_RUN',
  ]);
});

test('runs the program as the leader of a session of its own', async () => {
  const { log } = await runOnce('echo "ids $$ $(cut -d" " -f5,6 /proc/$$/stat)"\n');
  const [, pid, group, session] = /ids (\d+) (\d+) (\d+)/.exec(log) ?? [];
  expect([group, session]).toEqual([pid, pid]);
});

test('kills at once a program that ignores TERM, when the stop is forced', async () => {
  const runner = await testRunner();
  const script = 'trap "" TERM; echo ready; while :; do sleep 1; done\n';
  const launched = await runner.launch({ files: { 'play.yml': script } });
  await launched.untilLogged('ready');
  launched.stop();
  expect(launched.task.status).toBe('stopping');
  const begun = Date.now();
  launched.stop(true);
  expect((await launched.untilFinished()).status).toBe('stopped');
  expect(Date.now() - begun).toBeLessThan(5_000);
});

test('ends with the task what it leaves in the background, whatever session it is in', async () => {
  const script =
    'setsid sh -c "trap \\"\\" TERM; echo child \\$\\$; sleep 1000" & sleep 0.3; echo done\n';
  const { status, log } = await runOnce(script);
  expect(status).toBe('success');
  expect(log).toContain('done');
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  expect(child).toBeGreaterThan(1);
  expect(isRunning(child)).toBe(false);
});

test('a task that takes longer than its limit is ended and fails', async () => {
  const runner = await testRunner();
  const files = { 'play.yml': 'echo begun; sleep 1000\n' };
  const { status, log, task } = await runner.run({ files, timeoutS: 3 });
  expect(status).toBe('error');
  expect(task.failure).toEqual({ code: 'failure.timeout', params: { seconds: 3 } });
  expect(log).toContain('\nbegun\n');
  expect(log).toContain('after its time limit of 3 seconds');
});

test('a repository that never answers does not hold a task for longer than its limit', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const runner = await testRunner();
  const repository = `http://127.0.0.1:${port}/code.git`;
  const { status, log } = await runner.run({ repository, timeoutS: 1 });
  expect(status).toBe('error');
  expect(log).toMatch(/after its time limit of 1 seconds\.$/);
  expect(await until(async () => (await leftovers(runner)).length === 0)).toBe(true);
});

test('waits for a program that closes its output and goes on', async () => {
  const runner = await testRunner();
  const script = 'echo before; exec >&- 2>&-; echo lost; sleep 0.3; exit 5\n';
  const { status, log } = await runner.run({ files: { 'play.yml': script } });
  expect(status).toBe('error');
  expect(log).toMatch(/\nbefore\nansible-playbook ended with the exit code 5\.$/);
  const quiet = await runner.run({ files: { 'play.yml': 'exec >&- 2>&-\n' } });
  expect([quiet.status, quiet.log]).toEqual(['success', expect.stringContaining('Command: ')]);
});

const playbook = { files: { 'play.yml': 'echo begun\n' } };

test('no program starts before the commit is recorded', async () => {
  const begun = join(await folder(), 'begun');
  let hasBegun: boolean | null = null;
  const runner = await testRunner({
    through: (runnerApi) => ({
      ...runnerApi,
      async recordCommit(task, commit) {
        await sleep(300);
        hasBegun = existsSync(begun);
        await runnerApi.recordCommit(task, commit);
      },
    }),
  });
  const { status } = await runner.run({ files: { 'play.yml': `: > ${begun}\n` } });
  expect([status, hasBegun, existsSync(begun)]).toEqual(['success', false, true]);
});

test('a task whose keys cannot be opened leaves no folder, no process and no control group', async () => {
  let mark = '';
  const runner = await testRunner({
    through: (runnerApi) => ({
      ...runnerApi,
      async openKeys() {
        // At the very moment at which the supervisor is about to start.
        for (let turn = 0; mark === '' && turn < 100_000; turn += 1) {
          mark = readdirSync(runs).at(0) ?? '';
          await setImmediate();
        }
        throw new Error('The keys were refused.');
      },
    }),
  });
  const runs = join(runner.config.dataDir, 'runs');
  const { status, log } = await runner.run(playbook);
  expect([status, log]).toEqual(['error', expect.stringContaining('The keys were refused.')]);
  await until(async () => (await readdir(runs)).length === 0);
  const all = (await listProcesses())?.filter(({ state }) => state !== 'Z');
  const left = all?.filter(({ marks }) => marks.includes(mark));
  const groups = ['/sys/fs/cgroup', '-maxdepth', '4', '-name', `signalbox-${mark}-*`];
  expect([mark, left ?? []]).toEqual([expect.stringMatching(/^\d+-/), []]);
  expect(spawnSync('find', groups, { encoding: 'utf8' }).stdout).toBe('');
});

test('a commit that cannot be recorded makes the task fail before its program starts', async () => {
  const recordCommit = () => Promise.reject(new Error('The commit was refused.'));
  const runner = await testRunner({ through: (runnerApi) => ({ ...runnerApi, recordCommit }) });
  const { status, log } = await runner.run(playbook);
  expect(status).toBe('error');
  expect(log).toContain('The commit was refused.');
  expect(log).not.toContain('begun');
});
