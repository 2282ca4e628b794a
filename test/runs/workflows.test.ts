// Slow: a playbook with the real Ansible.
// What programs hand on from node to node of a workflow.

import { expect, test } from 'vitest';
import type { Caller } from '../helpers/app.ts';
import { testApp } from '../helpers/app.ts';
import { logText } from '../helpers/tasks.ts';
import { realPrograms } from '../helpers/programs.ts';
import { until } from '../helpers/until.ts';
import { flows, type Flows } from '../helpers/workflows.ts';

type Launched = Parameters<Flows['read']>[0];

async function ended(f: Flows, run: Launched) {
  return until(async () => {
    const now = await f.read(run);
    return now.end !== null && now;
  }, 60);
}

async function logOf(f: Flows, caller: Caller, run: Launched, key: string): Promise<string> {
  return logText(caller, await f.taskOf(run, key));
}

const play = `- hosts: localhost
  gather_facts: false
  tasks:
    - ansible.builtin.set_stats:
        data: { version: '1.4', hosts: [app-1, app-2] }
    - ansible.builtin.set_stats:
        data: { token: canary-of-the-play }
      no_log: true
`;

test('what a play, a script and a program hand on arrives at the nodes after them', async () => {
  const app = await testApp({ runner: true, config: { path: realPrograms } });
  const f = await flows(app, {
    'play.yml': play,
    'lines.sh': 'echo "url=https://example.com/$version" >> "$SIGNALBOX_OUTPUTS"\n',
    'count.py':
      'import json, os\nwith open(os.environ["SIGNALBOX_OUTPUTS"], "w") as file:\n    json.dump({"count": 2}, file)\n',
    'last.sh': 'echo "at $url with $count of $hosts"; [ "$token" = canary-of-the-play ]\n',
  });
  const given = (node: string, ...names: string[]) =>
    names.map((name) => ({ name, node, output: name }));
  const bash = { app: 'bash' as const };
  const secret = { name: 'token', title: 'Token', type: 'secret' as const };
  const workflow = await f.add(
    [
      await f.node('play', {}, { app: 'ansible', playbook: 'play.yml' }),
      await f.node(
        'lines',
        { inputs: given('play', 'version') },
        { ...bash, playbook: 'lines.sh' },
      ),
      await f.node('count', {}, { app: 'python', playbook: 'count.py' }),
      await f.node(
        'last',
        {
          inputs: [
            ...given('lines', 'url'),
            ...given('count', 'count'),
            ...given('play', 'hosts', 'token'),
          ],
        },
        { ...bash, playbook: 'last.sh', survey_vars: [secret] },
      ),
    ],
    'play>lines play>count lines>last count>last',
  );
  const run = await ended(f, await f.launch(workflow));
  expect(run.nodes.map(({ failure, reason }) => failure?.text ?? reason?.text ?? '')).toEqual([
    '',
    '',
    '',
    '',
  ]);
  expect(run.status).toBe('success');
  const log = await logOf(f, app.admin, run, 'last');
  expect(log).toContain('at https://example.com/1.4 with 2 of ["app-1","app-2"]');
  expect(log).not.toContain('canary-of-the-play');
});

test('outputs that are too large fail their node, which says so and takes the failure edge', async () => {
  const app = await testApp({ runner: true, config: { path: realPrograms } });
  const f = await flows(app, {
    'large.sh': 'head -c 20000 /dev/zero | tr "\\0" x | sed "s/^/text=/" >> "$SIGNALBOX_OUTPUTS"\n',
    'undo.sh': 'true\n',
    'use.sh': 'true\n',
  });
  const bash = { app: 'bash' as const };
  const inputs = [{ name: 'text', node: 'large', output: 'text' }];
  const workflow = await f.add(
    [
      await f.node('large', {}, { ...bash, playbook: 'large.sh' }),
      await f.node('undo', {}, { ...bash, playbook: 'undo.sh' }),
      await f.node('use', { inputs }, { ...bash, playbook: 'use.sh' }),
    ],
    'large!undo large*use',
  );
  const run = await ended(f, await f.launch(workflow));
  expect(await f.shown(run)).toBe('large- undo+ use- error');
  const [large, undo, use] = run.nodes;
  expect(large?.failure?.code).toBe('failure.outputs_value_size');
  expect(large?.failure?.text).toContain('text');
  expect(undo?.failure).toBeNull();
  expect(use?.reason?.text).toBe(
    'The node "use" needs the output text, which "large" did not set.',
  );
  expect(use?.failure).toBeNull();
});
