// What terraform.md in the guide says of plans and states, with a real provider: secret, write-only and
// ephemeral values, resources that fail or crash, and each kind of change that a plan can have.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectOf, type TerraformProject } from '../runner/terraform-project.ts';
import { buildToolchains } from './programs.ts';

const { programs, cliConfig } = buildToolchains();

const head = `terraform {
  required_providers { drill = { source = "example.test/signalbox/drill" } }
}
variable "world" {}
variable "token" { default = "" }
provider "drill" {
  world = var.world
  token = var.token
}
`;

const object = (label: string, attributes = '', name = label): string =>
  `resource "drill_object" "${label}" {\n  name = "${name}"\n  ${attributes}\n}\n`;

interface Cloud extends Pick<TerraformProject, 'change'> {
  run: (args?: string[], secretAnswers?: Record<string, string>) => Promise<Run>;
  /** The names of the objects that exist. */
  objects: () => Promise<string[]>;
  /** What the provider knows of an object. */
  read: (name: string) => Promise<Record<string, unknown>>;
  write: (name: string, record: object) => Promise<void>;
  state: () => Promise<string>;
}
type Run = Awaited<ReturnType<TerraformProject['runner']['run']>>;

async function cloudOf(app: 'terraform' | 'tofu'): Promise<Cloud> {
  const { runner, change, task } = await projectOf(programs[app]);
  const world = join(runner.config.dataDir, 'world');
  await mkdir(world);
  const fileOf = (name: string): string => join(world, `${name}.json`);
  return {
    change: (text) => change(head + text),
    run: (args = [], secretAnswers = {}) =>
      runner.run(
        task({
          app,
          autoApprove: true,
          arguments: args,
          json: JSON.stringify({ world }),
          env: JSON.stringify({ TF_CLI_CONFIG_FILE: cliConfig }),
          secretAnswers,
        }),
      ),
    objects: async () =>
      (await readdir(world)).map((name) => name.replace(/\.json$/, '')).toSorted(),
    read: async (name) => JSON.parse(await readFile(fileOf(name), 'utf8')),
    write: (name, record) => writeFile(fileOf(name), JSON.stringify(record)),
    state: () =>
      readFile(join(runner.config.dataDir, 'terraform/1/1/state/terraform.tfstate'), 'utf8'),
  };
}

const plain = { value: '', has_secret: false, has_write_only: false, token: '' };
const none = { create: 0, update: 0, replace: 0, delete: 0, read: 0 };

describe.each(['terraform', 'tofu'] as const)('with %s', (app) => {
  test('secret, write-only and ephemeral values reach the provider, and no log', async () => {
    const { change, run, read, state } = await cloudOf(app);
    await change(`
variable "password" {
  ephemeral = true
  sensitive = true
}
${object('kept', 'secret = "kept-in-the-state"\n  secret_wo = var.password')}`);
    const secrets = { token: 'canary-of-the-provider', password: 'canary-that-is-ephemeral' };
    const { status, log, task } = await run([], secrets);
    expect(status).toBe('success');
    expect(await read('kept')).toEqual({
      value: '',
      has_secret: true,
      has_write_only: true,
      token: 'canary-of-the-provider',
    });
    expect(`${log}${JSON.stringify(task.plan)}`).not.toMatch(/canary-|kept-in-the-state/);
    expect(await state()).not.toContain('canary-');
  });

  test('what fails or crashes leaves no object that the next apply does not know', async () => {
    const { change, run, objects } = await cloudOf(app);
    await change(
      object('good') + object('late', 'fails = "after"') + object('early', 'fails = "before"'),
    );
    const failed = await run();
    expect([failed.status, await objects()]).toEqual(['error', ['good', 'late']]);
    await change(
      object('good') + object('crashes', 'fails = "crash"\n  depends_on = [drill_object.good]'),
    );
    expect((await run()).status).toBe('error');
    await change(object('other'));
    expect([(await run()).status, await objects()]).toEqual(['success', ['other']]);
  });

  test('each kind of change is counted and carried out', async () => {
    const { change, run, objects, read, write } = await cloudOf(app);
    const countsOf = ({ status, task }: Run) => ({ status, ...task.plan?.counts });
    const success = { status: 'success', ...none };
    await change(object('one', 'value = "1"') + object('two'));
    expect(countsOf(await run())).toEqual({ ...success, create: 2 });
    await write('one', { ...(await read('one')), value: 'outside' });
    expect(countsOf(await run(['-refresh-only']))).toEqual({ ...success, drift: 1 });
    expect(await read('one')).toMatchObject({ value: 'outside' });
    await change(
      `${object('one', 'value = "outside"')}${object('two')}output "place" { value = "north" }\n`,
    );
    expect(countsOf(await run())).toEqual({ ...success, outputs: 1 });
    await write('three', plain);
    await change(`${object('one', 'value = "outside"')}${object('two')}${object('three')}output "place" { value = "north" }
import {
  to = drill_object.three
  id = "three"
}
`);
    expect(countsOf(await run())).toEqual({ ...success, import: 1 });
    await change(`${object('one', 'value = "outside"')}${object('moved', '', 'two')}output "place" { value = "north" }
moved {
  from = drill_object.two
  to   = drill_object.moved
}
removed {
  from = drill_object.three
  lifecycle { destroy = false }
}
`);
    expect(countsOf(await run())).toEqual({ ...success, move: 1, forget: 1 });
    expect(await objects()).toEqual(['one', 'three', 'two']);
    await change('');
    expect(countsOf(await run())).toMatchObject({ status: 'success', delete: 2 });
    expect(await objects()).toEqual(['three']);
  });
});
