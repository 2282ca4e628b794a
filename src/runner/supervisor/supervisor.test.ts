// Tests tasks that outlive their runner. Another one in the same data folder goes on with them.

import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGate } from '../../../test/helpers/gate.ts';
import { isRunning } from '../../../test/helpers/processes.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';
import { startDetached, type Command } from '../programs/process.ts';
import { startText } from './start-text.ts';
import { attach } from './supervisor.ts';

const runsOf = ({ config }: TestRunner): Promise<string[]> =>
  readdir(join(config.dataDir, 'runs')).catch(() => []);

async function entryOf(runner: TestRunner, name: string): Promise<string> {
  return until(async () => {
    const [run] = await runsOf(runner);
    const dir = join(runner.config.dataDir, 'runs', run ?? '');
    const step = (await readdir(dir)).findLast((entry) => entry.startsWith('step-'));
    const text = await readFile(join(dir, step ?? '', name), 'utf8').catch(() => '');
    return text.trim() || null;
  });
}

const script = 'src/runner/supervisor/supervisor.sh';

/** Runs a supervisor to its end, with this text for its waiting shell. A supervisor may end before it reads that. */
async function supervise(step: string, text: string): Promise<void> {
  const input = join(step, 'text');
  await writeFile(input, text);
  const file = await open(input);
  try {
    execFileSync('/bin/sh', [script, step], { stdio: [file.fd, 'pipe', 'pipe'] });
  } finally {
    await file.close();
  }
}

const commandOf = (command: string, ...args: string[]): Command => ({
  command,
  args,
  cwd: '/',
  env: { PATH: String(process.env['PATH']) },
});

test('a task without its supervisor ends as failed, says why, and leaves nothing', async () => {
  const runner = await testRunner();
  const files = { 'play.yml': 'echo "child $$"; sleep 1000\n' };
  const task = await runner.launch({ files });
  const log = await task.untilLogged('child');
  process.kill(Number((await entryOf(runner, 'supervisor')).split(' ')[0]), 'SIGKILL');
  const end = await task.untilFinished();
  expect(end.status).toBe('error');
  expect(end.log).toContain('The supervisor of this task is gone');
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  expect(isRunning(child)).toBe(false);
  expect(await until(async () => (await runsOf(runner)).length === 0)).toBe(true);
});

test.each([
  ['had not begun', false],
  ['had been given up by a runner that then ended', true],
])('a task whose program %s begins again, once', async (_words, isGivenUp) => {
  const runner = await testRunner({ isWaiting: true });
  const task = await runner.launch({ files: { 'play.yml': 'echo hello\n' } });
  const runs = join(runner.config.dataDir, 'runs');
  await mkdir(runs, { recursive: true });
  const run = await mkdtemp(join(runs, `${task.task.id}-`));
  const left = await mkdtemp(join(run, 'step-1-'));
  if (isGivenUp) await writeFile(join(left, 'claimed'), 'server\n');
  // As an earlier runner that has ended left it.
  runner.store.change(task.task, { status: 'running', step: 1, lease: 1, isHeld: true });
  await runner.start();
  const { log } = await task.untilStatus('success');
  expect(log).toContain('Beginning again');
  expect(log.match(/^hello$/gm)).toHaveLength(1);
  // A supervisor that starts late finds that the runner has taken the right to start the program.
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'claimed'), 'server\n');
  await supervise(left, startText(left, commandOf('touch', join(left, 'late'))));
  expect(await readdir(left)).not.toContain('late');
});

test('secrets are hidden in what was printed while the runner was away', async () => {
  const runner = await testRunner();
  const gate = await makeGate();
  const print = 'for a; do case $a in *@*) cat "${a#*@}";; esac; done';
  const task = await runner.launch({
    files: { 'play.yml': `echo begun; ${gate.wait}; ${print}\n` },
    secretAnswers: { token: 'canary-away' },
  });
  await task.untilLogged('\nbegun');
  await runner.restart(async () => {
    await gate.open();
    expect(await entryOf(runner, 'exit')).toBe('0');
  });
  const { log } = await task.untilStatus('success');
  expect(log).toContain('********');
  expect(log).not.toContain('canary');
});

test('removes at its start what a crash left behind, processes too', async () => {
  const runner = await testRunner({ isWaiting: true });
  const runs = join(runner.config.dataDir, 'runs');
  const stray = join(runs, '4711-abcdef');
  await mkdir(stray, { recursive: true });
  await writeFile(join(stray, 'spool'), 'left');
  const env = { PATH: String(process.env['PATH']), SIGNALBOX_RUN: '4711-abcdef' };
  startDetached({ command: 'sleep', args: ['1000'], cwd: '/', env });
  const find = () =>
    execFileSync('sh', ['-c', 'grep -lsa SIGNALBOX_RUN=4711-abcdef /proc/[0-9]*/environ || true'], {
      encoding: 'utf8',
    }).trim();
  await until(() => find() !== '');
  await runner.start();
  expect(await until(async () => (await readdir(runs)).length === 0)).toBe(true);
  expect(find()).toBe('');
});

test.each([
  ['with limits does not start', 'required\n', '125', 'cannot join the control group'],
  ['without limits starts', '', '0', 'hello'],
])('outside of its control group a program %s', async (_words, need, code, words) => {
  const step = await folder();
  await writeFile(join(step, 'control-group'), `${join(step, 'no-group')}\n${need}`);
  await supervise(step, startText(step, commandOf('echo', 'hello')));
  expect((await readFile(join(step, 'exit'), 'utf8')).trim()).toBe(code);
  expect(await readFile(join(step, 'spool'), 'utf8')).toContain(words);
});

test('a program that ended as its runner did keeps its last lines for the next runner', async () => {
  const step = await folder();
  const spool = join(step, 'spool');
  await writeFile(spool, 'first\n');
  await writeFile(join(step, 'exit'), '0\n');
  const read: string[] = [];
  let next = 0;
  const follow = (detach: AbortSignal, meanwhile?: () => Promise<void>) =>
    attach({
      folder: step,
      mark: 'no-process',
      from: next,
      onPartial: () => undefined,
      detach,
      async onLines(lines, offset) {
        read.push(...lines);
        next = offset;
        await meanwhile?.();
      },
    }).result;
  const leaving = new AbortController();
  const left = await follow(leaving.signal, async () => {
    await appendFile(spool, 'last\n');
    leaving.abort();
  });
  expect([left, read]).toEqual([null, ['first']]);
  expect(await follow(new AbortController().signal)).toMatchObject({ exitCode: 0, isLoose: true });
  expect(read).toEqual(['first', 'last']);
});

test('a program gets its arguments and variables as they are, and no other variables', async () => {
  const step = await folder();
  const characters = Array.from({ length: 0x2ff }, (_none, index) => index + 1);
  const odd = `-x '$(id)'"'\\ \n${String.fromCodePoint(...characters)}😀`;
  const env = { PATH: String(process.env['PATH']), ODD: odd, PPID: '1', 'not-a-name': 'left out' };
  const print = { command: 'sh', args: ['-c', 'printf %s "$1"; env -0', 'sh', odd], cwd: '/', env };
  execFileSync('/bin/sh', [script, step], { input: startText(step, print), env: { MARK: 'mark' } });
  const [words = '', ...pairs] = (await readFile(join(step, 'spool'), 'utf8')).split('\0');
  expect(words.startsWith(odd)).toBe(true);
  const [first, ...rest] = [words.slice(odd.length), ...pairs].filter(Boolean);
  expect([first, ...rest]).toEqual(
    expect.arrayContaining([`ODD=${odd}`, 'MARK=mark', 'PWD=/', `PATH=${env.PATH}`]),
  );
  const names = [first, ...rest].map((pair) => pair?.split('=')[0]);
  const shells = ['PPID', '_', 'SHLVL'];
  expect(new Set(names.filter((name) => !shells.includes(name ?? '')))).toEqual(
    new Set(['MARK', 'ODD', 'PATH', 'PWD']),
  );
});

test('a supervisor whose runner ends before it has sent the whole command starts nothing', async () => {
  const step = await folder();
  const made = join(step, 'made');
  const text = startText(step, commandOf('touch', made, join(step, 'made too')));
  for (let length = 0; length < text.length - 1; length += 7)
    await supervise(step, text.slice(0, length));
  const left = await readdir(step);
  expect(left).not.toContain('claimed');
  expect(left.filter((name) => name.startsWith('made'))).toEqual([]);
  expect((await readFile(join(step, 'exit'), 'utf8')).trim()).toBe('');
  await supervise(step, text);
  expect(await readdir(step)).toEqual(expect.arrayContaining(['made', 'made too']));
});

test('a command with a character that no program can get is refused', () => {
  expect(() => startText('/nowhere', commandOf('echo', 'a\0b'))).toThrow('NUL');
});

test('a program whose folder is gone does not start elsewhere', async () => {
  const step = await folder();
  const made = join(step, 'made');
  await supervise(step, startText(step, { ...commandOf('touch', made), cwd: join(step, 'gone') }));
  expect((await readFile(join(step, 'exit'), 'utf8')).trim()).toBe('126');
  expect(await readdir(step)).not.toContain('made');
});
