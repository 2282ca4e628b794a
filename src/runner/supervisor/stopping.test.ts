// Slow: programs are stopped that take their time.
// Stopping programs that have started others.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGate } from '../../../test/helpers/gate.ts';
import { isRunning } from '../../../test/helpers/processes.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner, type TestRunnerOptions } from '../../../test/runner/test-runner.ts';
import type { TaskInput } from '../../../test/runner/given.ts';

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Saves its state for two seconds when it is told to end. */
const saving = (place: string): string => `
trap 'sleep 2; echo saved >>"${place}/state"; exit' TERM
echo begun >"${place}/begun"
while :; do sleep 0.1; done
`;

/** As Terraform does: when it is told to end it waits for what its provider makes, and stores that. */
const applying = (place: string): string => `
(sleep 1; until [ -e "${place}/told" ]; do sleep 0.1; done; sleep 1; echo made >"${place}/made") &
trap 'echo told >>"${place}/told"' TERM
echo begun >"${place}/begun"
wait; wait
cat "${place}/made" >"${place}/state"
`;

const bash = (files: Record<string, string>): TaskInput => ({
  app: 'bash',
  playbook: 'play.sh',
  files,
});

/** Launches the task, stops it when its innermost program has begun, and waits for its end. */
async function stopWhenBegun(place: string, given: TaskInput, options?: TestRunnerOptions) {
  const runner = await testRunner(options);
  const task = await runner.launch(given);
  await until(async () => (await textOf(join(place, 'begun'))) !== '');
  task.stop();
  return { runner, task, end: () => task.untilStatus('stopped') };
}

test.each<[what: string, files: (place: string) => Record<string, string>, state: string]>([
  [
    'that a script has started saves its state',
    (place) => ({ 'play.sh': 'sh child.sh\necho later\n', 'child.sh': saving(place) }),
    'saved\n',
  ],
  [
    'ends with the help of what it has started',
    (place) => ({ 'play.sh': applying(place) }),
    'made\n',
  ],
  [
    'that a script has started ends with the help of what it has started',
    (place) => ({ 'play.sh': 'sh apply.sh\necho later\n', 'apply.sh': applying(place) }),
    'made\n',
  ],
])('a stopped program %s', async (_what, files, state) => {
  const place = await folder();
  const { end } = await stopWhenBegun(place, bash(files(place)));
  const { log } = await end();
  expect(await textOf(join(place, 'state'))).toBe(state);
  expect(log).not.toContain('later');
  expect(log).not.toContain('killed');
});

test('what a task of a playbook has started saves its state when the playbook is stopped', async () => {
  const place = await folder();
  const files = {
    'play.yml': '[{ hosts: all, gather_facts: false, tasks: [{ command: sh child.sh }] }]\n',
    'child.sh': saving(place),
  };
  const options = { config: { path: realPrograms } };
  const { end } = await stopWhenBegun(place, { files }, options);
  await end();
  expect(await textOf(join(place, 'state'))).toBe('saved\n');
});

test('a runner that begins during a stop goes on with it, and tells no program again', async () => {
  const place = await folder();
  const gate = await makeGate();
  const script = `trap 'echo told >>"${place}/told"' TERM
echo begun >"${place}/begun"
${gate.wait}
`;
  const { runner, task, end } = await stopWhenBegun(place, bash({ 'play.sh': script }));
  await until(async () => (await textOf(join(place, 'told'))) !== '');
  await runner.restart();
  await until(() => task.task.isHeld);
  await gate.open();
  await end();
  expect(await textOf(join(place, 'told'))).toBe('told\n');
});

test('a forced stop ends a stop that is going on', async () => {
  const place = await folder();
  const script = `trap 'echo told >>"${place}/told"' TERM
echo $$ >"${place}/begun"
while :; do sleep 0.1; done
`;
  const { task, end } = await stopWhenBegun(place, bash({ 'play.sh': script }));
  await until(async () => (await textOf(join(place, 'told'))) !== '');
  task.stop(true);
  await end();
  expect(isRunning(Number(await textOf(join(place, 'begun'))))).toBe(false);
});

test('a program whose task was taken from its runner ends as gently as one that is stopped', async () => {
  const place = await folder();
  const runner = await testRunner();
  const task = await runner.launch(bash({ 'play.sh': saving(place) }));
  await until(async () => (await textOf(join(place, 'begun'))) !== '');
  runner.store.change(task.task, { lease: task.task.lease + 1 });
  // A runner that is given a task hears which it has lost.
  await runner.launch(bash({ 'play.sh': 'true\n' }));
  expect(await until(async () => textOf(join(place, 'state')))).toBe('saved\n');
});

test('a program whose task was taken away while its runner was gone ends as gently', async () => {
  const place = await folder();
  const runner = await testRunner();
  const task = await runner.launch(bash({ 'play.sh': saving(place) }));
  await until(async () => (await textOf(join(place, 'begun'))) !== '');
  await runner.restart(async () => {
    runner.store.change(task.task, { status: 'error', isHeld: false });
    await Promise.resolve();
  });
  expect(await textOf(join(place, 'state'))).toBe('saved\n');
});
