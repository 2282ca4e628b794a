// A playbook with everything that decides the outcome of a task on a host, and a callback that writes the
// outcomes of a run by hand as Ansible tells them.

/** Three hosts of this machine, and one that cannot be reached. */
export const inventory = `one ansible_connection=local
two ansible_connection=local
three ansible_connection=local
down ansible_host=127.0.0.1 ansible_port=1 ansible_ssh_common_args='-o ConnectTimeout=5'
`;

/** Begins to wait on each host until the file of the gate is there. */
const waitFor = (folder: string, gate: string): string => `
    - name: Wait at ${gate}
      ansible.builtin.shell: touch ${folder}/at-${gate}; until [ -e ${folder}/${gate} ]; do sleep 0.1; done
      changed_when: false`;

const tasks = (folder: string): string => `
    - name: Unreachable and ignored
      ansible.builtin.raw: 'true'
      changed_when: false
      ignore_unreachable: true
    - name: Unreachable
      ansible.builtin.raw: 'true'
      changed_when: false
    - name: Skipped on one
      ansible.builtin.debug: { msg: here }
      when: inventory_hostname != 'one'
    - name: Changed
      ansible.builtin.command: 'true'
      notify: Afterwards
    - name: Loop
      ansible.builtin.set_fact: { last: "{{ item }}" }
      loop: [a, b, c]
      changed_when: item == 'b'
      failed_when: item == 'c' and inventory_hostname == 'two'
      ignore_errors: true
    - name: Loop without items
      ansible.builtin.debug: { msg: "{{ item }}" }
      loop: []
    - name: Ignored
      ansible.builtin.fail: { msg: ignored }
      ignore_errors: true
    - name: Block
      block:
        - name: Rescued on two
          ansible.builtin.fail: { msg: rescued }
          when: inventory_hostname == 'two'
      rescue:
        - name: Rescue
          ansible.builtin.debug: { msg: rescue }
      always:
        - name: Always
          ansible.builtin.debug: { msg: always }${waitFor(folder, 'first')}
    - name: Include
      ansible.builtin.include_tasks: more.yml
    - name: Import
      ansible.builtin.import_tasks: imported.yml
    - name: Include a role
      ansible.builtin.include_role: { name: web }
    - name: Delegated
      ansible.builtin.command: 'true'
      delegate_to: one
    - name: Once
      ansible.builtin.debug: { msg: once }
      run_once: true
    - name: Polled
      ansible.builtin.command: 'true'
      async: 30
      poll: 1
    - name: Left alone
      ansible.builtin.command: 'true'
      async: 30
      poll: 0
    - name: Hidden
      ansible.builtin.command: 'false'
      no_log: true
      ignore_errors: true
    - name: Until
      ansible.builtin.debug: { msg: tried }
      register: tried
      until: tried is success
      retries: 2
      delay: 0
    - name: Flush
      ansible.builtin.meta: flush_handlers
    - name: End three
      ansible.builtin.meta: end_host
      when: inventory_hostname == 'three'
    - name: After the end of three
      ansible.builtin.debug: { msg: here }
      notify: Afterwards
    - name: Fails on two
      ansible.builtin.fail: { msg: for good }
      when: inventory_hostname == 'two'${waitFor(folder, 'second')}
    - name: Last
      ansible.builtin.command: 'true'`;

export const filesOf = (strategy: string, folder: string): Record<string, string> => ({
  'play.yml': `
- name: All cases
  hosts: all
  gather_facts: false
  strategy: ${strategy}
  tasks:${tasks(folder)}
  handlers:
    - name: Afterwards
      ansible.builtin.debug: { msg: handled }
- name: In batches
  hosts: one:three
  gather_facts: false
  strategy: ${strategy}
  serial: 1
  tasks:
    - name: One by one
      ansible.builtin.debug: { msg: "{{ inventory_hostname }}" }
`,
  'more.yml': '- name: Included\n  ansible.builtin.debug: { msg: included }\n',
  'imported.yml': '- name: Imported\n  ansible.builtin.debug: { msg: imported }\n',
  'roles/web/tasks/main.yml': '- name: Of the role\n  ansible.builtin.debug: { msg: role }\n',
});

export interface Outcome {
  task: string;
  host: string;
  state: string;
}

/** Writes each result into the file OUTCOMES, as the callback `json` of Ansible collects them. */
export const recorder = `
import json
import os
from ansible.plugins.callback import CallbackBase
DOCUMENTATION = "name: recorder\\ntype: aggregate\\nshort_description: writes outcomes"
class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "recorder"
    CALLBACK_NEEDS_ENABLED = False
    def _write(self, result, state):
        task = result._task
        one = {"task": task.get_name().strip(), "host": result._host.get_name(), "state": state}
        with open(os.environ["OUTCOMES"], "a") as file:
            file.write(json.dumps(one) + "\\n")
    def v2_runner_on_ok(self, result):
        self._write(result, "changed" if result._result.get("changed") else "ok")
    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._write(result, "ignored" if ignore_errors else "failed")
    def v2_runner_on_unreachable(self, result):
        self._write(result, "unreachable")
    def v2_runner_on_skipped(self, result):
        self._write(result, "skipped")
`;
