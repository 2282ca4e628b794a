// Slow: each test runs several tasks, with Terraform and OpenTofu where they are installed.
// Variables of the environment by which Terraform and OpenTofu are told what arguments could tell too.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  configuration,
  programs,
  projectOf,
  standIn,
} from '../../../test/runner/terraform-project.ts';

const real = programs.filter(([, path]) => path !== standIn);

describe.each(real)('with %s', (_, path) => {
  test('the workspace of TF_WORKSPACE has its state, with copies, as any other', async () => {
    const { runner, change, task } = await projectOf(path);
    const blue = task({ autoApprove: true, env: '{"TF_WORKSPACE":"blue"}' });
    const run = async (given = blue) => runner.run(given);
    expect((await run()).status).toBe('success');
    await change(configuration('two'));
    expect((await run()).status).toBe('success');
    const folder = join(runner.config.dataDir, 'terraform/1');
    const state = join(folder, '1/state/terraform.tfstate.d/blue/terraform.tfstate');
    expect(await readFile(state, 'utf8')).toContain('"two"');
    const copies = await readdir(join(folder, '1.backups'));
    expect(copies).toEqual([expect.stringMatching(/\.blue\.tfstate$/)]);
    await writeFile(state, '');
    const refused = await run();
    expect([refused.status, refused.log]).toEqual(['error', expect.stringContaining(state)]);
  });

  test.each([
    ['TF_CLI_ARGS_apply', '-parallelism=1 -help', '-help'],
    ['TF_CLI_ARGS', '-version', '-version'],
    ['TF_CLI_ARGS_apply', '"-state=elsewhere"', '-state=elsewhere'],
  ])('%s=%s ends in no success of which nothing is kept', async (variable, text, option) => {
    const { runner, task } = await projectOf(path);
    const env = JSON.stringify({ [variable]: text });
    const { status, log } = await runner.run(task({ autoApprove: true, env }));
    expect([status, log]).toEqual([
      'error',
      expect.stringContaining(`The environment variable ${variable} has the option ${option},`),
    ]);
  });
});
