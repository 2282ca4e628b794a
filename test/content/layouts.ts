// Repositories laid out like public ones: what a runner has to read as Ansible reads it by hand.
// Each playbook counts differently in the recap when something else than the right file applies.

import type { SshServer } from '../helpers/sshd.ts';
import type { TaskInput } from '../runner/given.ts';
import type { ByHand } from './by-hand.ts';

export interface Layout {
  files: Record<string, string>;
  /** Links of the repository, and where each leads. */
  links?: Record<string, string>;
  /** The folders of submodules whose address answers nothing. */
  goneSubmodules?: string[];
  /** What differs from a run of `play.yml` at the top, on this machine. */
  byHand?: Partial<ByHand>;
  given?: TaskInput;
  /** What our log says, beside the recap. */
  says?: RegExp[];
}

const local = 'localhost ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n';

/** A play with these tasks on all hosts. */
export const play = (tasks: string): string =>
  `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks.replaceAll(/^(?=.)/gmu, '    ')}`;

/** Fails if the variable has another value. */
const mustBe = (variable: string, value: string): string =>
  `- ansible.builtin.assert: { that: ${variable} | default('') == '${value}' }\n`;

/** A task that says a word, as the tasks of a role. */
export const role = (says: string): string => `- ansible.builtin.debug: { msg: ${says} }\n`;

const linkedInventory: Layout = {
  files: {
    'play.yml': play(mustBe('place', 'trial')),
    'live/hosts': local,
    'live/group_vars/all.yml': 'place: live\n',
    'trial/group_vars/all.yml': 'place: trial\n',
  },
  links: { 'trial/hosts': '../live/hosts' },
  byHand: { inventory: { path: 'trial/hosts' } },
  given: { inventory: { type: 'file', inventory: 'trial/hosts' } },
};

const neededRole = {
  'shared/polite/tasks/main.yml': role('polite'),
  'shared/polite/meta/main.yml': 'galaxy_info: { author: A }\ndependencies: []\n',
};

/** A collection of the repository itself, which `ansible-galaxy` installs from its folder. */
const collection = {
  'tools/galaxy.yml':
    'namespace: demo\nname: tools\nversion: 1.0.0\nreadme: README.md\nauthors: [A]\n',
  'tools/README.md': 'Tools\n',
  'tools/roles/greet/tasks/main.yml': role('greeting'),
};

const usesCollection = '- hosts: all\n  gather_facts: false\n  roles: [demo.tools.greet]\n';

const requirementsBeside: Layout = {
  files: {
    ...collection,
    'requirements.yml': 'collections: [{ name: ./tools, type: dir }]\n',
    'play.yml': usesCollection,
  },
  byHand: {
    galaxy: [{ folder: '.', args: ['collection', 'install', '-r', 'requirements.yml'] }],
  },
};

const requirementsAbove: Layout = {
  files: {
    ...collection,
    'collections/requirements.yml': 'collections: [{ name: ./tools, type: dir }]\n',
    'plays/site/play.yml': usesCollection,
  },
  byHand: {
    playbook: 'plays/site/play.yml',
    galaxy: [
      { folder: '.', args: ['collection', 'install', '-r', 'collections/requirements.yml'] },
    ],
  },
  given: { playbook: 'plays/site/play.yml' },
};

const rolesBesidePlaybook: Layout = {
  files: {
    ...neededRole,
    'ansible.cfg': '[defaults]\nroles_path = shared\n',
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [polite]\n',
  },
};

const prompt = `- hosts: all
  gather_facts: false
  vars_prompt:
    - { name: version, prompt: Which version, private: false, default: latest }
  tasks:
${mustBe('version', 'latest').replaceAll(/^(?=.)/gmu, '    ')}`;

const waiting: Layout = {
  files: {
    'play.yml': play(
      [
        '- ansible.builtin.command: sleep 1',
        '  async: 60',
        '  poll: 1',
        '- ansible.builtin.command: sleep 1',
        '  async: 60',
        '  poll: 0',
        '  register: job',
        '- ansible.builtin.async_status: { jid: "{{ job.ansible_job_id }}" }',
        '  register: state',
        '  until: state.finished',
        '  retries: 100',
        '  delay: 0.1',
        '',
      ].join('\n'),
    ),
  },
};

const rescued: Layout = {
  files: {
    'play.yml': play(
      [
        '- block:',
        '    - ansible.builtin.command: /bin/false',
        '  rescue:',
        '    - ansible.builtin.debug: { msg: rescued }',
        '- ansible.builtin.command: /bin/false',
        '  ignore_errors: true',
        '- ansible.builtin.command: /bin/true',
        '  when: false',
        '',
      ].join('\n'),
    ),
  },
};

const failing: Layout = {
  files: {
    hosts: `one ansible_connection=local\ntwo ansible_connection=local\n`,
    'play.yml': play(
      `- ansible.builtin.fail: { msg: No }\n  when: inventory_hostname == 'two'\n- ansible.builtin.debug: { msg: Yes }\n`,
    ),
  },
  byHand: { inventory: { path: 'hosts' } },
  given: { inventory: { type: 'file', inventory: 'hosts' } },
};

/** Configuration, inventory, variables and roles of one of several folders of a repository. */
const site = (name: string): Record<string, string> => ({
  [`sites/${name}/ansible.cfg`]: '[defaults]\ninventory = hosts\nroles_path = parts\n',
  [`sites/${name}/hosts`]: `${name} ansible_connection=local\n`,
  [`sites/${name}/group_vars/all.yml`]: `place: ${name}\n`,
  [`sites/${name}/parts/polite/tasks/main.yml`]: mustBe('place', name),
  [`sites/${name}/play.yml`]: '- hosts: all\n  gather_facts: false\n  roles: [polite]\n',
});

const inSubfolder: Layout = {
  files: { ...site('north'), ...site('south') },
  byHand: { workingFolder: 'sites/south', inventory: null },
  given: { workingDirectory: 'sites/south', inventory: null },
};

const withoutSubmodule: Layout = {
  files: { 'play.yml': play(role('no submodule')) },
  goneSubmodules: ['roles/gone'],
  given: { withSubmodules: false },
  says: [/Submodules stay empty.*"roles\/gone"/],
};

/** What our environment would hide if it were set for every run. */
const ownSettings: Layout = {
  files: {
    'ansible.cfg':
      '[defaults]\nnocolor = true\nretry_files_enabled = true\nretry_files_save_path = retries\n',
    hosts: 'one ansible_connection=local\ntwo ansible_connection=local\n',
    'play.yml': play("- ansible.builtin.fail: { msg: No }\n  when: inventory_hostname == 'two'\n"),
  },
  byHand: { inventory: { path: 'hosts' } },
  given: { inventory: { type: 'file', inventory: 'hosts' } },
  says: [/retry, use: --limit @/, /^PLAY RECAP/m],
};

export const layouts: Record<string, Layout> = {
  'a folder with a configuration of its own': inSubfolder,
  'a submodule that cannot be reached': withoutSubmodule,
  'settings of the repository': ownSettings,
  'an inventory that is a link': linkedInventory,
  'requirements beside the playbook': requirementsBeside,
  'requirements above the playbook': requirementsAbove,
  'roles in a folder that the configuration names': rolesBesidePlaybook,
  'a question with a default': { files: { 'play.yml': prompt } },
  'tasks in the background': waiting,
  'rescued, ignored and skipped tasks': rescued,
  'a host that fails': failing,
};

/** What each task of the playbook below prints, by the name of the callback in the repository. */
const ownCallback = (name: string, body: string): string => `
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = "name: ${name}\\ntype: stdout\\nshort_description: prints in its own way\\n"

class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'stdout'
    CALLBACK_NAME = '${name}'
${body}
`;

const printsJson = ownCallback(
  'json_lines',
  `    def v2_playbook_on_stats(self, stats):
        import json
        self._display.display(json.dumps({"hosts": sorted(stats.processed)}))
`,
);

const printsNothing = ownCallback('silent', '    pass\n');

const redrawsOneLine = ownCallback(
  'redraw',
  `    def v2_runner_on_ok(self, result):
        import sys
        sys.stdout.write("\\r" + result._host.get_name())
        sys.stdout.flush()
`,
);

const plugins = {
  'callback_plugins/json_lines.py': printsJson,
  'callback_plugins/silent.py': printsNothing,
  'callback_plugins/redraw.py': redrawsOneLine,
};

/** Callbacks that replace the usual output. */
export const callbacks = ['default', 'minimal', 'oneline', 'json_lines', 'silent', 'redraw'];

/** A repository that prints with the callback. */
export const printedBy = (callback: string): Layout => ({
  files: {
    ...plugins,
    'ansible.cfg': `[defaults]\nstdout_callback = ${callback}\n`,
    'play.yml': play(
      `- name: First\n  ansible.builtin.command: /bin/true\n- name: Second\n  ansible.builtin.debug: { msg: Hello }\n`,
    ),
  },
});

/** A host behind another one, and the three places in which teams name the way to it. */
export function behindJumpHost(jump: SshServer, behind: SshServer): Record<string, Layout> {
  const command = `ssh -W %h:%p -p ${jump.port} -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null ${jump.user}@127.0.0.1`;
  const way = `-o ProxyCommand="${command}"`;
  const host = `127.0.0.1 ansible_port=${behind.port} ansible_user=${behind.user} ansible_python_interpreter=/usr/bin/python3`;
  // The port that the sshd behind the jump host is on proves that it was reached.
  const files = {
    'play.yml': play(
      `- ansible.builtin.raw: 'test "\${SSH_CONNECTION##* }" = ${behind.port}'\n- ansible.builtin.command: /bin/true\n`,
    ),
  };
  const on = (text: string, more: Partial<Layout> = {}): Layout => ({
    files,
    ...more,
    byHand: { inventory: { text }, ...more.byHand },
    given: { inventory: text, ...more.given },
  });
  const env = { ANSIBLE_SSH_COMMON_ARGS: way };
  return {
    'a jump host in ansible.cfg': on(`${host}\n`, {
      files: { ...files, 'ansible.cfg': `[ssh_connection]\nssh_common_args = ${way}\n` },
    }),
    'a jump host in the inventory': on(`${host} ansible_ssh_common_args='${way}'\n`),
    'a jump host in a variable': on(`${host}\n`, {
      byHand: { env },
      given: { env: JSON.stringify(env) },
    }),
  };
}
