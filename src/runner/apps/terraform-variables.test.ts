// Slow: the real programs plan and apply.
// The variables of a run of Terraform or OpenTofu at each of its commands, with the real programs where
// they are installed.

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { installedTerraforms } from '../../../test/helpers/terraforms.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { asVariable, takesVariablesAtApply, variableArguments } from './terraform-variables.ts';

test('apply gets variables from the versions on that take them beside a saved plan', () => {
  const takes = (app: string, version: string): boolean => takesVariablesAtApply(app, version);
  expect(['1.9.8', '1.10.5', '1.11.0', '2.0.0', ''].map((at) => takes('terraform', at))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(['1.8.3', '1.9.0', '1.12.6-dev'].map((at) => takes('tofu', at))).toEqual([
    false,
    true,
    true,
  ]);
});

test('of the CLI args, init and apply get those that set variables, in every form', () => {
  const args = [
    '-parallelism',
    '3',
    '-var',
    'a=-out',
    '--var=b=1',
    '-target',
    '-var',
    '-var-file=x',
  ];
  expect(variableArguments([...args, '--var-file', 'y'])).toEqual([
    '-var',
    'a=-out',
    '--var=b=1',
    '-var-file=x',
    '--var-file',
    'y',
  ]);
  expect(variableArguments(['-lock=false', '--', '-var=a=1'])).toEqual([]);
});

const values = {
  text: '007',
  json: '{"a":"${x}"}',
  lines: 'a\nb',
  number: 12.5,
  flag: true,
  list: ['a', '${b}', '$${c}', '%{if}', '\b\f\u0001\u2028"\\/\u{1f600}'],
  object: { 'key ${x}': 'é', inner: { n: null, list: [true, 1e21] } },
};

/** Each value as the program has read it from the environment, and from files. */
const reading = `
variable "text" { type = string }
variable "json" { type = string }
variable "lines" { type = string }
variable "number" { type = number }
variable "flag" { type = bool }
variable "list" { type = list(string) }
variable "object" { type = any }
variable "empty" {
  type    = string
  default = "default"
}
resource "terraform_data" "it" {
  input = [var.text, var.json, var.lines, var.number, var.flag, var.list, var.object, var.empty]
  provisioner "local-exec" {
    command = "printf %s \\"$GIVEN\\" | base64 -w0"
    environment = { GIVEN = jsonencode(self.input) }
  }
}
`;

describe.each(installedTerraforms())('with the real %s', (app, path) => {
  const task = {
    app,
    program: { path, args: [] },
    playbook: 'infra',
    inventory: null,
    autoApprove: true,
  };

  test('a value has the same type from the environment as from a file', async () => {
    const runner = await testRunner();
    const env = Object.entries(values).map(([name, value]) => [
      `TF_VAR_${name}`,
      asVariable(value),
    ]);
    const json = JSON.stringify({ ...values, empty: null, undeclared: 1 });
    const read = async (given: object) => {
      const { status, log } = await runner.run({
        ...task,
        files: { 'infra/main.tf': reading },
        ...given,
      });
      const text = /\(local-exec\): ([\w+/=]{40,})/.exec(stripVTControlCharacters(log))?.[1] ?? '';
      return [status, JSON.parse(Buffer.from(text, 'base64').toString() || 'null')];
    };
    const all = Object.values(values);
    expect(await read({ json })).toEqual(['success', [...all, null]]);
    const process = JSON.stringify(Object.fromEntries(env));
    expect(await read({ template: 2, env: process })).toEqual(['success', [...all, 'default']]);
  });

  test('an answer wins over CLI args and over files of the repository, from init to apply', async () => {
    const runner = await testRunner();
    const run = await runner.run({
      ...task,
      files: {
        'infra/main.tf': `
variable "word" {}
variable "stage" {}
variable "size" {}
variable "token" {
  type      = string
  ephemeral = true
}
variable "other" {
  type      = string
  ephemeral = true
}
output "given" { value = "given: \${var.word} \${var.stage} \${var.size}" }
`,
        'infra/own.auto.tfvars': 'word = "repository"\nstage = "repository"\nsize = "repository"\n',
        'infra/prod.tfvars': 'word = "file"\nstage = "file"\n',
      },
      json: '{"word": "environment", "stage": "environment", "size": "environment"}',
      arguments: ['-var-file=prod.tfvars', '-var', 'other=x'],
      answers: { word: 'answer' },
      secretAnswers: { token: 'canary-token' },
    });
    expect([run.status, run.log]).toEqual(['success', run.log]);
    expect(stripVTControlCharacters(run.log)).toMatch(
      /Outputs:\s+given = "given: answer file environment"/,
    );
    expect(run.commands.join('\n')).not.toContain('canary');
  });
});

describe.each(installedTerraforms().filter(([app]) => app === 'tofu'))(
  'with the real %s',
  (app, path) => {
    test('init and the reading of an encrypted state get the values too', async () => {
      const runner = await testRunner();
      const { status, log, task } = await runner.run({
        app,
        program: { path, args: [] },
        playbook: 'infra',
        inventory: { type: 'tofu-workspace', inventory: 'staging' },
        autoApprove: true,
        files: {
          'infra/main.tf': `
variable "passphrase" { sensitive = true }
variable "module" {}
terraform {
  encryption {
    key_provider "pbkdf2" "it" { passphrase = var.passphrase }
    method "aes_gcm" "it" { keys = key_provider.pbkdf2.it }
    state { method = method.aes_gcm.it }
    plan { method = method.aes_gcm.it }
  }
}
module "it" { source = var.module }
`,
          'infra/one/main.tf': 'resource "terraform_data" "one" {}\n',
        },
        answers: { module: './one' },
        secrets: { variables: { passphrase: 'canary-passphrase-of-some-length' } },
      });
      expect([status, log]).toEqual(['success', log]);
      expect(task.plan?.changes).toMatchObject([{ address: 'module.it.terraform_data.one' }]);
    });
  },
);
