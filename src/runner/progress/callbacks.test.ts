// Slow: ten playbooks with the real Ansible.
// The outline of a run comes from our own callback, whatever callback prints the output.

import { expect, test } from 'vitest';
import type { TaskSection } from '#shared/api/runner-api.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import type { StoredTask } from '../../../test/runner/memory-store.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const hosts = 'one ansible_connection=local\ntwo ansible_connection=local\n';

const play = `
- name: First play
  hosts: all
  gather_facts: false
  tasks:
    - name: Say something
      ansible.builtin.debug:
        msg: hello
    - name: Guarded
      block:
        - name: Fail in a block
          ansible.builtin.command: 'false'
      rescue:
        - name: Repair
          ansible.builtin.debug:
            msg: repaired
    - name: Fail and go on
      ansible.builtin.command: 'false'
      ignore_errors: true
      when: inventory_hostname == 'one'
      notify: Afterwards
    - name: Change
      ansible.builtin.command: 'true'
      notify: Afterwards
    - name: Fail on one
      ansible.builtin.command: 'false'
      when: inventory_hostname == 'two'
  handlers:
    - name: Afterwards
      ansible.builtin.debug:
        msg: handled
`;

/** Prints nothing before the end, as the callback \`json\` does. */
const late = `
from ansible.plugins.callback import CallbackBase
DOCUMENTATION = "name: late\\ntype: stdout\\nshort_description: prints at the end"
class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "late"
    def v2_playbook_on_stats(self, stats):
        self._display.display("{}")
`;

/** Prints no line before the end of the run, as the callback \`dense\` does. */
const dense = late
  .replaceAll('late', 'dense')
  .replace(
    '    def',
    '    def v2_runner_on_ok(self, result):\n        import sys; sys.stdout.write(".")\n    def',
  );

const numbers = ({ ok, changed, skipped, failed, ignored, rescued }: TaskSection) =>
  Object.fromEntries(
    Object.entries({ ok, changed, skipped, failed, ignored, rescued }).filter(([, n]) => n > 0),
  );

const expected = [
  ['play', 'First play', {}],
  ['task', 'Say something', { ok: 2 }],
  ['task', 'Fail in a block', { rescued: 2 }],
  ['task', 'Repair', { ok: 2 }],
  ['task', 'Fail and go on', { skipped: 1, ignored: 1 }],
  ['task', 'Change', { changed: 2 }],
  ['task', 'Fail on one', { skipped: 1, failed: 1 }],
  ['handler', 'Afterwards', { ok: 1 }],
  ['recap', '', {}],
];

/** What the lines of the sections show. */
const ofDefault = [
  'PLAY [First play]',
  'TASK [Say something]',
  'TASK [Fail in a block]',
  'TASK [Repair]',
  'TASK [Fail and go on]',
  'TASK [Change]',
  'TASK [Fail on one]',
  'RUNNING HANDLER [Afterwards]',
  'PLAY RECAP',
];

/** How many results of all 13 have a line, and how many of these lines name the host. */
const resultLines: Record<string, number[]> = {
  default: [13, 13],
  minimal: [13, 13],
  late: [0, 0],
  dense: [7, 0],
};

const byName = ({ hosts: all }: StoredTask) =>
  [...all.values()].toSorted((a, b) => (a.host < b.host ? -1 : 1));

test.each(['default', 'minimal', 'late', 'dense'])(
  'with the callback %s the outline has all plays and tasks with their results',
  async (callback) => {
    const runner = await testRunner({ config: { path: realPrograms } });
    const { task, log } = await runner.run({
      files: {
        'play.yml': play,
        'ansible.cfg': `[defaults]\nstdout_callback = ${callback}\ncallback_plugins = plugins\n`,
        'plugins/late.py': late,
        'plugins/dense.py': dense,
      },
      inventory: hosts,
    });
    const sections = [...task.sections.values()];
    expect(sections.map((one) => [one.kind, one.name, numbers(one)])).toEqual(expected);
    const lines = sections.map(({ line }) => line);
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    const all = log.split('\n');
    const headings = lines.map(
      (line) => /^[A-Z]+(?: [A-Z]+)*(?: \[[^\]]+\])?/.exec(all[line - 1] ?? '')?.[0],
    );
    const shown = callback === 'default' ? ofDefault : headings;
    expect(headings).toEqual(shown);
    // The lines of results name their hosts, unless the callback prints nothing of that kind.
    const told = task.runResults.filter(({ line }) => line !== null);
    const naming = told.filter(({ line, host }) => all[(line ?? 0) - 1]?.includes(host));
    expect([told.length, naming.length]).toEqual(resultLines[callback]);
    // A failure that was rescued is none.
    expect(task.progress).toMatchObject({ failed: 1, play: 'First play' });
    expect(byName(task)).toMatchObject([
      { host: 'one', failed: 0, rescued: 1, ignored: 1, skipped: 1 },
      { host: 'two', failed: 1, rescued: 1, ignored: 0, skipped: 1 },
    ]);
  },
);

test('a heading that a callback prints with the first result is found too', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const { task, log } = await runner.run({
    files: { 'play.yml': play, 'ansible.cfg': '[defaults]\ndisplay_skipped_hosts = false\n' },
    inventory: hosts,
  });
  const all = log.split('\n');
  const failing = [...task.sections.values()].find(({ name }) => name === 'Fail on one');
  expect(all[(failing?.line ?? 0) - 1]).toContain('TASK [Fail on one]');
});

test('a task that is stopped keeps what is known of its hosts until then', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const slow = `${play.split('    - name: Guarded')[0]}    - name: Wait
      ansible.builtin.command: sleep 100
`;
  const launched = await runner.launch({ files: { 'play.yml': slow }, inventory: hosts });
  await launched.untilLogged('TASK [Wait]');
  launched.stop();
  expect((await launched.untilFinished()).status).toBe('stopped');
  expect(byName(launched.task)).toMatchObject([
    { host: 'one', ok: 1 },
    { host: 'two', ok: 1 },
  ]);
});

test('a playbook that asks for variables which nobody gives does not begin, and says so', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const asking = `
- hosts: all
  gather_facts: false
  vars_prompt:
    - name: release
      prompt: Which release?
    - name: region
      default: north
    - name: size
  tasks:
    - ansible.builtin.debug: { msg: "release {{ release }} {{ region }} {{ size }}" }
`;
  const files = { 'play.yml': asking };
  const unanswered = await runner.run({ files, inventory: hosts, json: '{"size": 2}' });
  expect(unanswered.status).toBe('error');
  expect(unanswered.task.failure).toEqual({
    code: 'failure.unanswered',
    params: { names: 'release' },
  });
  expect(unanswered.log).toContain('The playbook asks for release (vars_prompt)');
  expect(unanswered.log).not.toContain('PLAY [');
  const answered = await runner.run({
    files,
    inventory: hosts,
    json: '{"size": 2}',
    answers: { release: '7' },
  });
  expect([answered.status, answered.log]).toEqual(['success', answered.log]);
  expect(answered.log).toContain('release 7 north 2');
});

test('the log says when a job in the background is ended with its task', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const job = (seconds: number) => `
- hosts: all
  gather_facts: false
  tasks:
    - name: Long job
      ansible.builtin.command: sleep ${seconds}
      async: 300
      poll: 0
    - ansible.builtin.pause: { seconds: 3 }
`;
  const ran = await runner.run({ files: { 'play.yml': job(200) }, inventory: hosts });
  expect(ran.status).toBe('success');
  expect(ran.log).toContain(
    'The job that "Long job" began in the background of this server, for two',
  );
  const done = await runner.run({ files: { 'play.yml': job(0) }, inventory: hosts });
  expect(done.log).not.toContain('in the background');
});
