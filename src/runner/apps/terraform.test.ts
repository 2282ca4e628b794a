// Slow: each test plans, waits for an answer and applies.
// Terraform for real where it is installed, and always a stand-in with the same answers.
// It does what terraform.md in the guide says.

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import {
  broken,
  configuration,
  programs,
  projectOf,
  standIn,
} from '../../../test/runner/terraform-project.ts';
import type { TestRunner } from '../../../test/runner/test-runner.ts';

/** What a plan says that is to become of the word. */
const planned = (word: string): RegExp => new RegExp(`input += "?${word}"?`);

describe.each(programs)('with %s', (_, path) => {
  test('a plan that changes something waits, and exactly it is applied', async () => {
    const { runner, change, task } = await projectOf(path);
    const launched = await runner.launch(task());
    const waiting = await launched.untilStatus('waiting_confirmation');
    expect(waiting.commands.map((command) => command.split(' ')[1])).toEqual([
      'init',
      'init',
      'plan',
    ]);
    expect(waiting.log).toMatch(planned('one'));
    const none = { create: 0, update: 0, replace: 0, delete: 0, read: 0 };
    expect(launched.task.plan?.counts).toEqual({ ...none, create: 1 });
    expect(launched.task.plan?.changes).toMatchObject([
      { address: 'terraform_data.it', type: 'terraform_data', action: 'create', attributes: [] },
    ]);
    expect(waiting.log).toContain('It is applied when somebody confirms it.');
    // What comes into the repository meanwhile is not what was confirmed.
    await change(configuration('two'));
    launched.confirm();
    const end = await launched.untilStatus('success');
    expect(end.commands.at(-1)).toMatch(/ apply -input=false .*plan\.tfplan$/);
    expect(end.log).toContain('Apply complete!');
    expect(await until(async () => (await runsOf(runner)).length === 0)).toBe(true);
  });

  test('the state is kept for the next run, and a plan without a change ends in success', async () => {
    const { runner, change, task } = await projectOf(path);
    const approved = task({ autoApprove: true });
    const first = await runner.run(approved);
    expect([first.status, first.log.includes('Apply complete!')]).toEqual(['success', true]);
    const second = await runner.run(approved);
    expect([second.status, second.task.is_confirmed]).toEqual(['success', false]);
    const none = { create: 0, update: 0, replace: 0, delete: 0, read: 0 };
    expect(second.task.plan).toMatchObject({ counts: none, changes: [], is_complete: true });
    expect(second.log).toContain('Nothing is applied.');
    expect(second.log).not.toContain('Apply complete!');
    // The words of the program decide nothing.
    await change(configuration('No changes. Infrastructure'));
    const third = await runner.run(approved);
    expect([third.status, third.log.includes('Apply complete!')]).toEqual(['success', true]);
    expect(third.task.plan).toMatchObject({
      counts: { ...none, update: 1 },
      changes: [{ action: 'update', attributes: expect.arrayContaining(['input']) }],
    });
    expect(JSON.stringify(third.task.plan)).not.toContain('Infrastructure');
  });

  test('a dry run shows the plan and applies nothing, whatever approves it', async () => {
    const { runner, task } = await projectOf(path);
    const { status, log } = await runner.run(task({ autoApprove: true, dryRun: true }));
    expect(status).toBe('success');
    expect(log).toMatch(planned('one'));
    expect(log).not.toContain('Apply complete!');
    const applied = await runner.run(task({ autoApprove: true }));
    expect(applied.log).toContain('Apply complete!');
  });

  test('a plan that fails ends the task as failed, with the headline of its error', async () => {
    const { runner, change, task } = await projectOf(path);
    await change(broken);
    const { status, log, task: end } = await runner.run(task({ autoApprove: true }));
    expect([status, end.failure]).toEqual([
      'error',
      {
        code: 'failure.program_error',
        params: {
          program: path,
          code: 1,
          error: expect.stringMatching(/^(?:planned to fail|Unsupported argument)$/),
        },
      },
    ]);
    expect(log).toContain('ended with the exit code 1: ');
  });

  test('variables, secret ones too, and arguments reach the plan; each workspace has its state', async () => {
    const { runner, task } = await projectOf(path);
    const given = task({
      autoApprove: true,
      arguments: ['-parallelism=3'],
      inventory: { type: 'terraform-workspace', inventory: 'staging' },
      secretAnswers: { word: 'canary-word' },
    });
    const { status, log, commands } = await runner.run(given);
    expect([status, log.includes('Apply complete!')]).toEqual(['success', true]);
    expect(log).toMatch(planned(String.raw`\*{8}`));
    expect(log).not.toContain('canary');
    expect(commands.map((command) => command.split(' ').slice(1, 3).join(' '))).toEqual([
      'init -input=false',
      'init -input=false',
      'workspace select',
      'plan -input=false',
      'apply -input=false',
    ]);
    expect(commands[3]).toContain(' -parallelism=3');
    const again = await runner.run(given);
    expect([again.status, again.log.includes('Nothing is applied.')]).toEqual(['success', true]);
  });

  test('a waiting plan survives a restart, and is removed when the task is stopped', async () => {
    const { runner, change, task } = await projectOf(path);
    const launched = await runner.launch(task());
    await launched.untilStatus('waiting_confirmation');
    await runner.restart();
    expect(await runsOf(runner)).toHaveLength(1);
    launched.confirm();
    const { log } = await launched.untilStatus('success');
    expect(log.match(/Apply complete!/g)).toHaveLength(1);
    expect(log.match(/Command: .* plan /g)).toHaveLength(1);
    await change(configuration('two'));
    const other = await runner.launch(task());
    await other.untilStatus('waiting_confirmation');
    other.stop();
    expect((await other.untilFinished()).status).toBe('stopped');
    expect(await until(async () => (await runsOf(runner)).length === 0)).toBe(true);
  });
});

test('a configuration with a backend of its own keeps it (a stand-in for terraform)', async () => {
  const { runner, change, task } = await projectOf(standIn);
  await change(`${configuration('one')}# backend: s3\n`);
  await (await runner.launch(task())).untilStatus('waiting_confirmation');
  const { dataDir } = runner.config;
  const names = await readdir(join(dataDir, 'runs'), { recursive: true });
  expect(names.filter((name) => name.endsWith('infra/main.tf'))).toHaveLength(1);
  expect(names.filter((name) => name.includes('override'))).toEqual([]);
});

test('a plan that changes something unknown is never told as nothing', async () => {
  const { runner, task } = await projectOf(standIn);
  const program = join(await folder(), 'terraform');
  const own = `case $1 in show) echo '{"format_version":"1.2"}' ;; *) exec ${standIn} "$@" ;; esac`;
  await writeFile(program, `#!/bin/sh\n${own}\n`, { mode: 0o755 });
  const given = task({ autoApprove: true, program: { path: program, args: [] } });
  const first = await runner.run(given);
  expect(first.task.plan).toMatchObject({ counts: { other: 1 }, changes: [] });
  const again = await runner.run(given);
  expect([again.log.includes('Nothing is applied.'), again.task.plan?.counts.other]).toEqual([
    true,
    undefined,
  ]);
});

test('a plan that cannot be read ends no run, and is told in the log of the server', async () => {
  const { runner, task } = await projectOf(standIn);
  const odd = async (text: string) => {
    const program = join(await folder(), 'terraform');
    const own = `case $1 in show) ${text} ;; *) exec ${standIn} "$@" ;; esac`;
    await writeFile(program, `#!/bin/sh\n${own}\n`, { mode: 0o755 });
    const run = await runner.run(task({ dryRun: true, program: { path: program, args: [] } }));
    return [run.status, run.task.plan];
  };
  expect(await odd('exit 1')).toEqual(['success', null]);
  expect(await odd('echo "{}"')).toEqual(['success', null]);
  expect(await odd('echo not JSON')).toEqual(['success', null]);
  expect(await odd('head -c 70000000 /dev/zero')).toEqual(['success', null]);
});

test('a secret in the key of a resource is hidden in the plan too', async () => {
  const { runner, task } = await projectOf(standIn);
  const program = join(await folder(), 'terraform');
  const plan = {
    format_version: '1.2',
    resource_changes: [
      { address: 'file.it["canary-word"]', change: { actions: ['create'], before: null } },
    ],
  };
  const own = `case $1 in show) printf %s '${JSON.stringify(plan)}' ;; *) exec ${standIn} "$@" ;; esac`;
  await writeFile(program, `#!/bin/sh\n${own}\n`, { mode: 0o755 });
  const given = { program: { path: program, args: [] }, secretAnswers: { word: 'canary-word' } };
  const run = await runner.run(task({ dryRun: true, ...given }));
  expect(run.task.plan?.changes).toMatchObject([{ address: 'file.it["********"]' }]);
});

const runsOf = ({ config }: TestRunner): Promise<string[]> => readdir(join(config.dataDir, 'runs'));
