// Callbacks of a repository beside ours, and programs that write into the file of our events.

import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const theirs = `
from ansible.plugins.callback import CallbackBase
DOCUMENTATION = "name: theirs\\ntype: aggregate\\nshort_description: a callback of the repository"
class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "theirs"
    CALLBACK_NEEDS_ENABLED = True
    def v2_playbook_on_stats(self, stats):
        self._display.display("theirs has been called")
`;
const short =
  '- hosts: all\n  gather_facts: false\n  tasks: [{ name: Only, debug: { msg: hi } }]\n';

test.each([
  ['ansible.cfg', '[defaults]\ncallback_plugins = ./plugins\ncallbacks_enabled = theirs\n', {}],
  ['variables', '', { ANSIBLE_CALLBACK_PLUGINS: './plugins', ANSIBLE_CALLBACKS_ENABLED: 'theirs' }],
])('callbacks that a repository enables by %s work beside ours', async (_how, cfg, env) => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const { status, log, task } = await runner.run({
    files: {
      'play.yml': short,
      'plugins/theirs.py': theirs,
      ...(cfg && { 'ansible.cfg': cfg }),
    },
    inventory: 'one ansible_connection=local\ntwo ansible_connection=local\n',
    env: JSON.stringify(env),
  });
  expect([status, log]).toEqual(['success', expect.stringContaining('theirs has been called')]);
  expect(task.progress).toMatchObject({ task: 'Only', tasks: 1, ok: 2 });
  expect(task.hosts).toHaveLength(2);
});

test('what a program writes into the file of its progress does no harm', async () => {
  const runner = await testRunner();
  const { status, task } = await runner.run({
    files: {
      'play.yml': `echo nonsense > "$SIGNALBOX_PROGRESS_FILE"
echo '{"play": 1}' >> "$SIGNALBOX_PROGRESS_FILE"
head -c 100000 /dev/urandom >> "$SIGNALBOX_PROGRESS_FILE"; echo >> "$SIGNALBOX_PROGRESS_FILE"\n`,
    },
  });
  expect(status).toBe('success');
  expect(task.progress).toBeNull();
});
