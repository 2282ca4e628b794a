// Playbooks in which versions of Ansible differ: what they tell of items, of reasons, of jobs in the
// background and of secrets.

import { play, role, type Layout } from '../../content/layouts.ts';

const two = 'one ansible_connection=local\ntwo ansible_connection=local\n';

const loops = play(`- name: Each outcome
  ansible.builtin.command: sh -c 'echo "{{ item }}" >&2; test {{ item }} != failed'
  loop: [ok, changed, failed, skipped]
  when: item != 'skipped'
  changed_when: item == 'changed'
  ignore_errors: true
- name: Messages
  ansible.builtin.fail: { msg: "No {{ item }} is left" }
  loop: [bread, wine]
  ignore_errors: true
- name: Undefined in one item
  ansible.builtin.debug: { msg: "{{ item.word }}" }
  loop: [{ word: there }, { other: 1 }]
  changed_when: true
  ignore_errors: true
- name: Rescued
  block:
    - name: In a block
      ansible.builtin.assert: { that: item < 2 }
      loop: [1, 2, 3]
  rescue:
    - ansible.builtin.debug: { msg: rescued }
- name: Nothing to do
  ansible.builtin.debug: { msg: "{{ item }}" }
  loop: []
- name: All skipped
  ansible.builtin.debug: { msg: "{{ item }}" }
  loop: [1, 2]
  when: false
- name: Add hosts
  ansible.builtin.add_host: { name: "{{ item }}" }
  loop: [three, four]
- name: Include
  ansible.builtin.include_tasks: more.yml
  loop: [1, 2]
- name: Again until it works
  ansible.builtin.command: test -e "{{ playbook_dir }}/{{ inventory_hostname }}-{{ item }}"
  loop: [never]
  register: told
  until: told is success
  retries: 1
  delay: 0
  ignore_errors: true
- name: Delegated
  ansible.builtin.command: 'true'
  delegate_to: "{{ item }}"
  loop: [one, two]
`);

const delegated = play(`- name: To one of several
  ansible.builtin.command: 'true'
  delegate_to: "{{ groups.all[1] }}"
- name: Not at all
  ansible.builtin.command: 'true'
  delegate_to: "{{ groups.all[1] }}"
  when: false
- name: To each
  ansible.builtin.command: 'true'
  delegate_to: "{{ item }}"
  loop: [one, two, one]
`);

const reasons = play(`- name: Command
  ansible.builtin.command: sh -c 'echo out; echo problem >&2; exit 3'
  ignore_errors: true
- name: Output only
  ansible.builtin.shell: echo first; echo last; exit 4
  ignore_errors: true
- name: Script
  ansible.builtin.script: files/fails.sh
  ignore_errors: true
- name: No such program
  ansible.builtin.command: /nonexistent/program
  ignore_errors: true
- name: Module
  broken:
  ignore_errors: true
- name: Sudo
  ansible.builtin.command: 'true'
  vars: { ansible_become: true, ansible_become_user: nobody, ansible_become_exe: /nonexistent/sudo }
  ignore_errors: true
- name: Condition
  ansible.builtin.command: echo out
  failed_when: true
  ignore_errors: true
- name: Item
  ansible.builtin.command: /nonexistent/{{ item }}
  loop: [program]
  ignore_errors: true
- name: Undefined
  ansible.builtin.debug: { msg: "{{ nowhere }}" }
  ignore_errors: true
`);

/** What our results say of these tasks. */
export const wantedReasons: Record<string, RegExp> = {
  Command: /^problem$/,
  'Output only': /^last$/,
  Script: /^on the error output$/,
  'No such program': /^\[Errno 2\] No such file or directory: b?'\/nonexistent\/program'$/,
  Module: /^ValueError: no good$/,
  Sudo: /\/nonexistent\/sudo: not found$/,
  Item: /^\[Errno 2\] No such file or directory: b?'\/nonexistent\/program'$/,
  Undefined: /'nowhere' is undefined/,
};

const background = play(`- name: Polled
  ansible.builtin.command: sh -c 'sleep 1; echo done'
  async: 60
  poll: 1
- name: Polled items
  ansible.builtin.command: echo {{ item }}
  async: 60
  poll: 1
  loop: [1, 2]
- name: Polled and failed
  ansible.builtin.command: 'false'
  async: 60
  poll: 1
  ignore_errors: true
- name: Began
  ansible.builtin.command: echo later
  async: 60
  poll: 0
  register: job
- name: Looked at
  ansible.builtin.async_status: { jid: "{{ job.ansible_job_id }}" }
  register: state
  until: state.finished
  retries: 100
  delay: 0.2
- name: Cleaned up
  ansible.builtin.async_status: { jid: "{{ job.ansible_job_id }}", mode: cleanup }
`);

const ends = play(`- name: Leaves one
  ansible.builtin.meta: end_host
  when: inventory_hostname == 'two'
- name: Clears
  ansible.builtin.meta: clear_facts
  when: false
- name: After
  ansible.builtin.command: 'true'
`);

const onBoth = (files: Record<string, string>): Layout => ({
  files,
  byHand: { inventory: { text: two } },
  given: { inventory: two },
});

/** Secrets of the vault: one that is handed on, and one that is also a word of Ansible's results. */
export const vaultSecrets = { token: 'token-of-the-vault-4711', word: 'changed' };

const vault = `- hosts: all
  gather_facts: false
  vars_files: [secrets.yml]
  tasks:
    - name: Use
      ansible.builtin.debug: { msg: "{{ token }} {{ word }}" }
    - name: Hand on
      ansible.builtin.set_stats: { data: { token: "{{ token }}", known: true } }
      run_once: true
    - name: Change
      ansible.builtin.command: 'true'
    - name: Change items
      ansible.builtin.command: echo {{ item }}
      loop: [one, two]
      changed_when: item == 'one'
`;

/** A play with secrets in a vault; `secrets` is the encrypted file of them. */
export const vaulted = (secrets: string, password: string, passwordFile: string): Layout => {
  const layout = onBoth({ 'play.yml': vault, 'secrets.yml': secrets });
  const env = { ANSIBLE_VAULT_PASSWORD_FILE: passwordFile };
  return {
    ...layout,
    byHand: { ...layout.byHand, env },
    given: { ...layout.given, vaults: [{ name: 'default', password }] },
  };
};

export const plays = {
  loops: onBoth({ 'play.yml': loops, 'more.yml': role('included') }),
  delegated: onBoth({ 'play.yml': delegated }),
  reasons: onBoth({
    'play.yml': reasons,
    'files/fails.sh': '#!/bin/sh\necho on the output\necho on the error output >&2\nexit 5\n',
    'library/broken.py': '#!/usr/bin/python3\nraise ValueError("no good")\n',
  }),
  background: onBoth({ 'play.yml': background }),
  ends: onBoth({ 'play.yml': ends }),
};
