import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'callback');

const printEvents = `
import sys
sys.path.insert(0, sys.argv[1])
from ansible.plugins.callback import CallbackBase
from signalbox_progress import CallbackModule
for name in dir(CallbackBase):
    if name.startswith("v2_"):
        print(name, getattr(CallbackModule, name) is not getattr(CallbackBase, name))
`;

/** The Python in which Ansible runs. */
function pythonOfAnsible(): string {
  const about = execFileSync('ansible-playbook', ['--version'], { encoding: 'utf8' });
  return /python version = .*\((\/[^()]+)\)$/m.exec(about)?.[1] ?? '';
}

test('our callback takes all events one by one: ansible-core 2.19 warns of `v2_on_any`', () => {
  const printed = execFileSync(pythonOfAnsible(), ['-Bc', printEvents, folder], {
    encoding: 'utf8',
  });
  const events = printed.trim().split('\n');
  expect(events.length).toBeGreaterThan(20);
  expect(events.filter((event) => event.endsWith('False'))).toEqual(['v2_on_any False']);
});
