// Slow: whole runs of a stand-in for Terraform.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';
import { standIn } from '../../../test/runner/terraform-project.ts';
import { until } from '../../../test/helpers/until.ts';

const state = (objects: number): string =>
  JSON.stringify({
    version: 4,
    serial: 1,
    lineage: 'a',
    outputs: {},
    resources: [
      {
        mode: 'managed',
        type: 'x',
        name: 'y',
        instances: Array.from({ length: objects }, () => ({})),
      },
    ],
  });

const asideOf = async ({ config }: TestRunner): Promise<string[]> => {
  const folder = join(config.dataDir, 'set-aside/terraform');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .filter((name) => name.includes('tfstate'))
    .map((name) => name.replace(/Z(?:-\d)?\//, 'Z/'));
};

const script = (text: string) => ({ app: 'bash', inventory: null, files: { 'play.yml': text } });

test('a state that a script leaves is set aside, and the task says where it is', async () => {
  const runner = await testRunner();
  const text = `mkdir -p a/b/terraform.tfstate.d/blue
echo '${state(2)}' >a/b/terraform.tfstate.d/blue/terraform.tfstate
echo '${state(1)}' >a/errored.tfstate
echo '${state(1)}' >"$HOME/home.tfstate.backup"\n`;
  const { status, log, task } = await runner.run(script(text));
  expect(status).toBe('success');
  const folder = String(task.failure?.params['path']);
  expect(task.failure).toMatchObject({ code: 'failure.state_left' });
  expect(folder).toContain(`/set-aside/terraform/project-1-template-1-task-${task.id}-`);
  expect(log).toContain(`Signalbox set the state aside in ${folder} on the server`);
  const kept = await readFile(
    join(folder, 'checkout/a/b/terraform.tfstate.d/blue/terraform.tfstate'),
    'utf8',
  );
  expect(kept.trim()).toBe(state(2));
  await readFile(join(folder, 'checkout/a/errored.tfstate'));
  await readFile(join(folder, 'home/home.tfstate.backup'));
  expect(await asideOf(runner)).toHaveLength(3 + 2);
});

test('a state of the commit, one without objects, and other files with the name of one are left', async () => {
  const runner = await testRunner();
  const text = `echo '${state(0)}' >terraform.tfstate; echo '${state(3)}' >terraform.tfstate.backup
mkdir -p .terraform/modules/m; echo '${state(1)}' >.terraform/modules/m/terraform.tfstate
echo '{"version":3,"backend":{"type":"s3"}}' >note.tfstate; : >empty.tfstate\n`;
  const files = { 'play.yml': text, 'fixtures/example.tfstate': state(4) };
  const { status, task } = await runner.run({ ...script(text), files });
  expect([status, task.failure]).toEqual(['success', null]);
  expect(await asideOf(runner)).toEqual([]);
});

test('a run that is stopped loses no state', async () => {
  const runner = await testRunner();
  const text = `echo '${state(1)}' >terraform.tfstate; echo ready; sleep 600\n`;
  const launched = await runner.launch(script(text));
  await launched.untilLogged('ready');
  launched.stop(true);
  expect((await launched.untilFinished()).status).toBe('stopped');
  expect(launched.log()).toContain('Signalbox set the state aside in');
  expect(await until(async () => (await asideOf(runner)).length === 1)).toBe(true);
});

test('the state of a run that its server does not know any more is set aside', async () => {
  const runner = await testRunner();
  const text = `echo '${state(1)}' >terraform.tfstate; echo ready; sleep 600\n`;
  const launched = await runner.launch(script(text));
  await launched.untilLogged('ready');
  await runner.restart(async () => runner.store.forget(launched.task.id));
  expect(await until(async () => (await asideOf(runner)).length === 1)).toBe(true);
  expect(await readdir(join(runner.config.dataDir, 'runs'))).toEqual([]);
});

test('a run of Terraform that leaves a state in its folder is no success', async () => {
  const runner = await testRunner();
  const main = `# input: one\n# waits: echo '${state(1)}' >left.tfstate\n`;
  const { status, task } = await runner.run({
    app: 'terraform',
    program: { path: standIn, args: [] },
    playbook: '.',
    files: { 'main.tf': main },
    inventory: null,
    autoApprove: true,
  });
  expect([status, task.failure?.code]).toEqual(['error', 'failure.state_left']);
});
