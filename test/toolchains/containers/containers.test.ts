// Runs playbooks, Terraform and scripts in containers of a real Debian, and with the programs of the runner: both end
// in the same way.

import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layouts } from '../../content/layouts.ts';
import { expectTheSame } from '../../content/same-ending.ts';
import { containerSettings, startPodman, type TestPodman } from '../../helpers/containers.ts';
import { commitFiles, folder, git } from '../../helpers/seed.ts';
import { until } from '../../helpers/until.ts';
import type { TaskInput } from '../../runner/given.ts';
import { configuration } from '../../runner/terraform-project.ts';
import { testRunner, type TestRunner } from '../../runner/test-runner.ts';
import { plays } from '../ansible/plays.ts';
import { addProgram, buildArchive } from './image.ts';

const image = 'localhost/debian-ansible:1';
const execution = { kind: 'container' as const, image, network: 'none' };
const terraform = execFileSync('which', ['terraform'], { encoding: 'utf8' }).trim();

let podman: TestPodman;
let runner: TestRunner;

beforeAll(async () => {
  podman = startPodman();
  podman.podman('import', '--quiet', buildArchive(), image);
  addProgram(podman, image, terraform);
  runner = await testRunner({
    config: { path: podman.path, containers: containerSettings },
    shared: true,
  });
}, 1_800_000);

afterAll(async () => {
  await runner.close();
  podman.close();
}, 120_000);

/** Settles when no container is left. */
const untilGone = () => until(() => podman.podman('ps', '--all', '--quiet') === '');

test.each(Object.entries({ ...layouts, ...plays }))(
  '%s: ends in a container as by hand',
  async (name, layout) => {
    const { task } = await expectTheSame(runner, name, {
      ...layout,
      given: { ...layout.given, execution },
    });
    expect(task.tools?.programs).toContainEqual({
      name: 'ansible',
      version: expect.stringMatching(/^2\.14\./),
    });
    expect(task.tools?.image?.name).toBe(image);
    await untilGone();
  },
);

/** Runs a task in a container and with the programs of the runner, and returns what both hand on. */
async function runBoth(given: TaskInput) {
  const [inside, outside] = [await runner.run({ ...given, execution }), await runner.run(given)];
  const of = ({ status, log, task }: typeof inside) => ({
    status,
    log: status === 'success' ? '' : log,
    exitCode: task.exitCode,
    outputs: task.outputs,
  });
  return { inside: of(inside), outside: of(outside) };
}

/** The steps of a workflow, each with what the one before has handed on. */
const steps: Record<string, TaskInput> = {
  'a playbook': {
    files: {
      'play.yml': `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.set_stats: { data: { version: "1.4", zones: [one, two], size: { a: 1 } } }
`,
    },
    inventory: 'localhost ansible_connection=local\n',
  },
  'a shell script': {
    app: 'bash',
    playbook: 'run.sh',
    files: {
      'run.sh':
        'echo "built=$version-1" >> "$SIGNALBOX_OUTPUTS"\nprintf "secret token=x4711y\\n" >> "$SIGNALBOX_OUTPUTS"\n',
    },
    env: JSON.stringify({ version: '1.4' }),
  },
  'a script in Python': {
    app: 'python',
    playbook: 'run.py',
    files: {
      'run.py':
        'import json, os\nwith open(os.environ["SIGNALBOX_OUTPUTS"], "w") as file:\n    json.dump({"built": os.environ["BUILT"], "zones": [1, None]}, file)\n',
    },
    env: JSON.stringify({ BUILT: '1.4-1' }),
  },
};

test.each(Object.entries(steps))('%s hands on the same from a container', async (_, given) => {
  const { inside, outside } = await runBoth(given);
  expect(inside.outputs.length).toBeGreaterThan(0);
  expect(inside).toEqual(outside);
});

test('a script that fails has the same exit code from a container', async () => {
  const given = { app: 'bash', playbook: 'run.sh', files: { 'run.sh': 'exit 7\n' } };
  const { inside, outside } = await runBoth(given);
  expect([inside.status, inside.exitCode]).toEqual(['error', 7]);
  expect(outside.exitCode).toBe(7);
});

describe('Terraform', () => {
  /** A task of a repository of its own. */
  async function taskOf(given: TaskInput) {
    const repository = await folder();
    await git(repository, 'init', '--quiet');
    const output = 'output "word" {\n  value = terraform_data.it.output\n}\n';
    const change = (word: string) =>
      commitFiles(repository, { 'infra/main.tf': configuration(word) + output });
    await change('one');
    const task: TaskInput = {
      app: 'terraform',
      program: { path: 'terraform', args: [] },
      playbook: 'infra',
      repository,
      inventory: null,
      ...given,
    };
    return { task, change };
  }

  /** Applies a confirmed plan, changes the configuration and applies that, and plans once more. */
  async function applyTwice(given: TaskInput) {
    const { task, change } = await taskOf(given);
    const launched = await runner.launch(task);
    const { log: planned } = await launched.untilStatus('waiting_confirmation');
    expect(planned).toContain('terraform_data.it');
    launched.confirm();
    const first = await launched.untilFinished();
    await change('two');
    const second = await runner.run({ ...task, autoApprove: true });
    const third = await runner.run({ ...task, autoApprove: true });
    return {
      statuses: [first.status, second.status, third.status],
      plans: [launched.task, second.task, third.task].map(({ plan }) => plan),
      // The outputs come last, in colours.
      words: [first.log, second.log].map((log) => [...log.matchAll(/word = "(\w+)"/g)].at(-1)?.[1]),
    };
  }

  test('plans, waits, applies and keeps its state in containers as without', async () => {
    const inside = await applyTwice({ template: 1, execution });
    expect(inside.statuses).toEqual(['success', 'success', 'success']);
    expect(inside.words).toEqual(['one', 'two']);
    expect(inside).toEqual(await applyTwice({ template: 2 }));
    await untilGone();
  });
});
