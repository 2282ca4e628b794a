// Slow: each test waits for what a stop gives its programs: ten and twenty seconds.
// Stopping Terraform and OpenTofu where they are installed, and programs that do not end.

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../../../test/helpers/processes.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
const hasText = (path: string) => until(async () => (await textOf(path)) !== '');

const installed = ['terraform', 'tofu'].filter((name) => {
  try {
    execFileSync('which', [name]);
    return true;
  } catch {
    return false;
  }
});

/** The second resource is being made when the stop comes, by a provider that has a second for it. */
const configuration = (place: string): string => `
terraform {
  backend "local" {
    path = "${place}/state"
  }
}
resource "terraform_data" "first" {
  input = "first"
}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" {
    command = "echo begun >${place}/begun; sleep 1000"
  }
}
`;

describe.each(installed)('a stopped apply of %s', (program) => {
  test.each([
    ['as the main program', 'exec '],
    ['in a script', ''],
  ])('stores its state and releases its lock, %s', async (_how, start) => {
    const place = await folder();
    await writeFile(join(place, 'main.tf'), configuration(place));
    execFileSync(program, [`-chdir=${place}`, 'init', '-no-color'], { stdio: 'ignore' });
    const runner = await testRunner();
    const script = `${start}${program} -chdir='${place}' apply -auto-approve -no-color\n`;
    const task = await runner.launch({
      app: 'bash',
      playbook: 'play.sh',
      files: { 'play.sh': `${script}echo later\n` },
    });
    await hasText(join(place, 'begun'));
    task.stop();
    const { log } = await task.untilStatus('stopped');
    expect(log).toContain('Interrupt received');
    expect(log).not.toContain('Two interrupts received');
    expect(log).not.toContain('later');
    const list = execFileSync(program, [`-chdir=${place}`, 'state', 'list'], { encoding: 'utf8' });
    expect(list.trim().split('\n')).toEqual(['terraform_data.first', 'terraform_data.second']);
    // It would fail under the lock of the stopped one.
    execFileSync(program, [`-chdir=${place}`, 'untaint', 'terraform_data.second']);
  });
});

const bash = (script: string) => ({
  app: 'bash',
  playbook: 'play.sh',
  files: { 'play.sh': script },
});

test('what does not end is killed ten seconds after it was told, and the log says so', async () => {
  const place = await folder();
  const runner = await testRunner();
  const task = await runner.launch(
    bash(`(trap '' TERM; echo $BASHPID >"${place}/begun"; while :; do sleep 0.2; done) & wait\n`),
  );
  await hasText(join(place, 'begun'));
  const since = performance.now();
  task.stop();
  const { log } = await task.untilStatus('stopped');
  expect(performance.now() - since).toBeGreaterThan(9_000);
  expect(performance.now() - since).toBeLessThan(19_000);
  expect(isRunning(Number(await textOf(join(place, 'begun'))))).toBe(false);
  expect(log).toMatch(/Some processes did not end .*\nStopped\.$/);
});

test('a shell whose command does not end is not kept from saving its state', async () => {
  const place = await folder();
  const runner = await testRunner();
  const task = await runner.launch(
    bash(`trap 'echo saved >"${place}/state"; exit' TERM
echo begun >"${place}/begun"
sleep 1000
`),
  );
  await hasText(join(place, 'begun'));
  task.stop();
  const { log } = await task.untilStatus('stopped');
  expect(await textOf(join(place, 'state'))).toBe('saved\n');
  expect(log).not.toContain('killed');
});
