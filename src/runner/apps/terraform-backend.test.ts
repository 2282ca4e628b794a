// Slow: each test runs several tasks, with Terraform and OpenTofu where they are installed.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import {
  configuration,
  programs,
  projectOf,
  standIn,
  type TerraformProject,
} from '../../../test/runner/terraform-project.ts';

const real = programs.filter(([, path]) => path !== standIn);

type Files = Record<string, string>;
const main = configuration('one');

/** Configurations without a backend in use, whose files speak of one. */
const without: [what: string, files: Files][] = [
  [
    'resources, values, variables, modules, comments, texts and ignored files',
    {
      'main.tf': `${main}resource "terraform_data" "backend" {}
locals {
  tier = "backend"
  text = "cloud { backend \\"s3\\" {"
}
# terraform { backend "s3" {} }
# cloud {
module "backend" {
  source = "./m"
}
`,
      'm/main.tf': 'terraform {\n  backend "s3" {}\n}\n',
      'v.tf.json': '{"variable":{"backend":{"default":"x"}}}',
      '.backend.tf': 'terraform {\n  backend "local" { path = "/nowhere/x" }\n}\n',
    },
  ],
  [
    'a local backend in the checkout',
    { 'main.tf': `${main}terraform {\n  backend "local" {}\n}\n` },
  ],
  [
    'a local backend at a path in the checkout',
    {
      'main.tf': `${main}terraform {\n  backend "local" {\n    path = "states/x.tfstate"\n  }\n}\n`,
    },
  ],
];

const approved = { autoApprove: true };

async function commit({ commit: into }: TerraformProject, files: Files): Promise<void> {
  const all = Object.entries(files).map(([name, text]) => [`infra/${name}`, text]);
  await into(Object.fromEntries(all) as Files);
}

describe.each(real)('with %s', (_, path) => {
  test.each(without)('the state is kept, whatever says backend: %s', async (__, files) => {
    const project = await projectOf(path);
    await commit(project, files);
    const { runner, task } = project;
    const first = await runner.run(task(approved));
    expect([first.status, first.log.includes('Apply complete!')]).toEqual(['success', true]);
    const second = await runner.run(task(approved));
    expect([second.status, second.log.includes('Nothing is applied.')]).toEqual(['success', true]);
  });

  test('a backend of the configuration keeps the state, in whatever form it is written', async () => {
    const at = join(await folder(), 'own.tfstate');
    const quoted = `terraform {\n  backend "local" {\n    path = ${JSON.stringify(at)}\n  }\n}\n`;
    const json = JSON.stringify({ terraform: { backend: { local: { path: at } } } });
    const forms: Files[] = [
      { 'main.tf': main + quoted },
      { 'main.tf': main + quoted.replace('"local"', 'local') },
      { 'main.tf': main, 'backend.tf.json': json },
      { 'main.tf': `${main}terraform {\n  backend "local" {}\n}\n` },
    ];
    for (const [index, files] of forms.entries()) {
      const project = await projectOf(path);
      await commit(project, files);
      const { runner, task } = project;
      const isPartial = index === forms.length - 1;
      const env = JSON.stringify(
        isPartial ? { TF_CLI_ARGS_init: `-backend-config=path=${at}` } : {},
      );
      const { status, log, commands } = await runner.run(task({ ...approved, env }));
      expect([status, log.includes('Apply complete!')]).toEqual(['success', true]);
      expect(commands.map((command) => command.split(' ')[1])).toEqual(['init', 'plan', 'apply']);
      expect(await readFile(at, 'utf8')).toContain('"one"');
      await rm(at);
    }
  });

  test('a file .tofu is a part of the configuration for OpenTofu only', async () => {
    const at = join(await folder(), 'own.tfstate');
    const project = await projectOf(path);
    const backend = `terraform {\n  backend "local" {\n    path = ${JSON.stringify(at)}\n  }\n}\n`;
    await commit(project, { 'main.tf': main, 'backend.tofu': backend });
    const { runner, task } = project;
    expect((await runner.run(task(approved))).status).toBe('success');
    const isOwn = await readFile(at, 'utf8').then(
      () => true,
      () => false,
    );
    expect(isOwn).toBe(path.endsWith('tofu'));
    expect((await runner.run(task(approved))).log).toContain('Nothing is applied.');
  });

  test('settings that put the state into the checkout all the same are refused', async () => {
    const { runner, commit: into, task } = await projectOf(path);
    await into({ 'infra/main.tf': `${main}terraform {\n  backend "local" {}\n}\n` });
    const env = JSON.stringify({ TF_CLI_ARGS_init: '-backend-config=path=part.tfstate' });
    const { status, log } = await runner.run(task({ ...approved, env }));
    expect([status, log.includes('removed after the run')]).toEqual(['error', true]);
    expect(log).not.toContain('Command: apply');
  });

  test('a cloud block is a backend, and the run ends with what the program says', async () => {
    const { runner, change, task } = await projectOf(path);
    const cloud =
      'terraform {\n  cloud {\n    hostname = "localhost"\n    organization = "o"\n    workspaces {\n      name = "w"\n    }\n  }\n}\n';
    await change(main + cloud);
    const { status, commands } = await runner.run(task(approved));
    expect([status, commands.length]).toEqual(['error', 1]);
  });
});

describe.each(real.length > 0 ? real : programs)('with %s', (_, path) => {
  test('a state in the repository is refused, with where to put it', async () => {
    const { runner, commit: into, task } = await projectOf(path);
    const state = JSON.stringify({
      version: 4,
      terraform_version: '1.9.0',
      serial: 1,
      lineage: 'a',
      outputs: {},
      resources: [
        {
          mode: 'managed',
          type: 'terraform_data',
          name: 'it',
          provider: 'provider["terraform.io/builtin/terraform"]',
          instances: [{ schema_version: 0, attributes: { id: 'x', input: null } }],
        },
      ],
    });
    await into({ 'infra/terraform.tfstate': state });
    const { status, log } = await runner.run(task(approved));
    expect(status).toBe('error');
    expect(log).toContain('The repository has the state infra/terraform.tfstate with 1 object.');
  });

  test('a backend that is added later does not drop the kept state', async () => {
    const { runner, change, task } = await projectOf(path);
    expect((await runner.run(task(approved))).status).toBe('success');
    const at = join(await folder(), 'own.tfstate');
    const backend = `terraform {\n  backend "local" {\n    path = ${JSON.stringify(at)}\n  }\n}\n`;
    await change(`${main}${backend}# backend: local ${at}\n`);
    const { status, log } = await runner.run(task(approved));
    const kept = join(runner.config.dataDir, 'terraform/1/1/state/terraform.tfstate');
    expect(status).toBe('error');
    expect(log).toContain('1 object would be created again');
    expect(log).toContain(`terraform state push ${kept}`);
    await rm(kept);
    expect((await runner.run(task(approved))).status).toBe('success');
    expect(await readFile(at, 'utf8')).toContain('one');
  });

  test('the first plan after a change of repository, folder or workspace waits for a person', async () => {
    const { runner, commit: into, task } = await projectOf(path);
    expect((await runner.run(task(approved))).status).toBe('success');
    await into({ 'other/main.tf': configuration('two') });
    const moved = await runner.launch(task({ ...approved, playbook: 'other' }));
    const waiting = await moved.untilStatus('waiting_confirmation');
    expect(waiting.log).toContain('was made from the folder infra; it is other now');
    expect(moved.task.confirmationReason).toEqual({
      code: 'confirmation.folder_changed',
      params: { objects: 1, before: 'infra', now: 'other' },
    });
    moved.confirm();
    await moved.untilStatus('success');
    const next = await runner.run(task({ ...approved, playbook: 'other' }));
    expect(next.log).toContain('Nothing is applied.');
    const inventory = { type: 'terraform-workspace' as const, inventory: 'blue' };
    const renamed = await runner.launch(task({ ...approved, playbook: 'other', inventory }));
    const asked = await renamed.untilStatus('waiting_confirmation');
    expect(asked.log).toContain(
      'The state of the workspace blue is empty, while that of default is not (objects: 1)',
    );
    expect(renamed.task.confirmationReason?.code).toBe('confirmation.workspace_changed');
    renamed.stop();
  });

  test('a state that was emptied is not planned on, and its copy is named', async () => {
    const { runner, change, task } = await projectOf(path);
    const kept = join(runner.config.dataDir, 'terraform/1/1/state/terraform.tfstate');
    await mkdir(join(kept, '..'), { recursive: true });
    await writeFile(kept, '');
    expect((await runner.run(task(approved))).status).toBe('success');
    await change(configuration('two'));
    expect((await runner.run(task(approved))).status).toBe('success');
    await writeFile(kept, '');
    const refused = await runner.run(task(approved));
    expect(refused.status).toBe('error');
    const [copy] = /\S+\.backups\/\S+\.tfstate/.exec(refused.log) ?? [];
    expect(refused.log).toContain(`The state ${kept} is empty (0 bytes)`);
    await writeFile(kept, await readFile(copy ?? '', 'utf8'));
    expect((await runner.run(task(approved))).log).toContain('Apply complete!');
    await writeFile(kept, '{"version":4,');
    const damaged = await runner.run(task(approved));
    expect([damaged.status, damaged.log.includes('cannot be read')]).toEqual(['error', true]);
  });

  test('a second run waits for the first one on its state, also one of another template', async () => {
    const { runner, commit: into, task } = await projectOf(path);
    const [shared, gate] = [join(await folder(), 'own.tfstate'), join(await folder(), 'gate')];
    const wait = `until [ -e ${gate} ]; do sleep 0.1; done`;
    const slow = `resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = ${JSON.stringify(wait)}
  }
}\n`;
    const backend = `terraform {\n  backend "local" {\n    path = ${JSON.stringify(shared)}\n  }\n}\n`;
    const text = `${main}${slow}# waits: ${wait}\n`;
    await into({
      'infra/main.tf': text,
      'shared/main.tf': `${text}${backend}# backend: local ${shared}\n`,
    });
    const parallel = { ...approved, allowParallel: true };
    const pairs = [
      [task(parallel), task(parallel)],
      [
        task({ ...parallel, playbook: 'shared', template: 2 }),
        task({ ...parallel, playbook: 'shared', template: 3 }),
      ],
    ];
    for (const [one, other] of pairs) {
      await rm(gate, { force: true });
      const first = await runner.launch(one);
      await first.untilLogged('Applying the plan.');
      const second = await runner.launch(other);
      await second.untilLogged(`Waiting for the end of task ${first.task.id}, which works`);
      await writeFile(gate, '');
      expect((await first.untilFinished()).status).toBe('success');
      const end = await second.untilFinished();
      expect([end.status, end.log.includes('Nothing is applied.')]).toEqual(['success', true]);
    }
  });

  test('files that a run has written into its checkout are named before they go with it', async () => {
    const { runner, commit: into, task } = await projectOf(path);
    const write = 'echo secret >key.pem; mkdir -p out; for n in $(seq 30); do echo >out/$n; done';
    const writes = `resource "terraform_data" "key" {
  provisioner "local-exec" {
    command = ${JSON.stringify(write)}
  }
}\n`;
    await into({ 'infra/main.tf': `${main}${writes}# waits: ${write}\n` });
    const { status, log } = await runner.run(task(approved));
    expect(status).toBe('success');
    expect(log).toContain('is removed now: infra/key.pem, infra/out/1, ');
    expect(log).toContain('and 11 more.');
    expect((await runner.run(task(approved))).log).not.toContain('is removed now');
  });
});
