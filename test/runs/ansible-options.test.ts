// Slow: playbooks with the real Ansible.
// What a playbook observes of everything that a template and a launch can set, with the real Ansible.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { repositories } from '#shared/api/repositories.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { type TestApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { realPrograms } from '../helpers/programs.ts';
import { commitFiles, folder, git, type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const observed = {
  check: 'ansible_check_mode',
  diff: 'ansible_diff_mode',
  limit: "ansible_limit | default('')",
  tags: 'ansible_run_tags | sort',
  skip: 'ansible_skip_tags | sort',
  verbosity: 'ansible_verbosity',
  forks: 'ansible_forks',
  hosts: 'ansible_play_hosts',
  region: "region | default('')",
  place: "lookup('env', 'PLACE')",
  branch: 'branch',
  message: "signalbox_vars.task_details.message | default('')",
};

const all = Object.entries(observed).map(([name, value]) => `'${name}': ${value}`);
const play = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg: "observed:{{ { ${all.join(', ')} } | to_json | b64encode }}:"
      run_once: true
      tags: always
    - ansible.builtin.debug: { msg: "with the tag fast" }
      tags: fast
`;

const playOn = (branch: string): string => `${play}  vars: { branch: ${branch} }\n`;

async function start() {
  const { app, seed, params } = await appWithProject(
    { 'play.yml': playOn('main') },
    { runner: true, config: { path: realPrograms } },
  );
  const { git_url: path } = await app.admin.call(repositories.one, {
    params: { ...params, repository_id: seed.repositoryId },
  });
  await git(path, 'checkout', '--quiet', '-b', 'other');
  await commitFiles(path, { 'play.yml': playOn('other') });
  await git(path, 'checkout', '--quiet', 'main');
  const addInventory = async (...hosts: string[]) => {
    const inventory = hosts.map((host) => `${host} ansible_connection=local\n`).join('');
    const body = { name: hosts.join(' '), type: 'static' as const, inventory };
    const made = { params, body: { ...body, ssh_key_id: seed.keyId } };
    return (await app.admin.call(inventories.create, made)).id;
  };
  const inventoryId = await addInventory('one', 'two', 'three');
  return { app, seed, inventoryId, otherId: await addInventory('elsewhere') };
}

async function begin(app: TestApp, seed: Seed, template: object, launched: object): Promise<Task> {
  const { id } = await seed.template(template);
  return launch(app.admin, seed.projectId, { template_id: id, ...launched });
}

async function observations(app: TestApp, task: Task): Promise<Record<string, unknown>> {
  await untilFinished(app.admin, task);
  const log = await logText(app.admin, task);
  const [, text] = /observed:([^:]+):/.exec(log) ?? [];
  if (!text) throw new Error(log);
  return JSON.parse(Buffer.from(text, 'base64').toString()) as Record<string, unknown>;
}

const usual = {
  check: false,
  diff: false,
  limit: '',
  tags: ['all'],
  skip: [],
  verbosity: 0,
  forks: 5,
  hosts: ['one', 'two', 'three'],
  region: '',
  place: '',
  branch: 'main',
  message: '',
};

test('a playbook observes what template and launch set; the launch wins where it may', async () => {
  const { app, seed, inventoryId, otherId } = await start();
  const { id: environmentId } = await app.admin.call(environments.create, {
    params: { project_id: seed.projectId },
    body: { name: 'E', json: '{"region": "north"}', env: '{"PLACE": "harbour"}' },
  });
  const chosen = {
    limit: 'one,two',
    allow_override_limit_in_task: true,
    tags: 'fast,slow',
    allow_override_tags_in_task: true,
    skip_tags: 'late',
    allow_override_skip_tags_in_task: true,
  };
  const args = { arguments: '["--forks", "3", "-e", "region=\'a b\'"]' };
  // What each says of itself shows in an observation of its own, so several are launched at once.
  const cases: [template: object, launched: object, expected: object][] = [
    [{}, {}, {}],
    [{}, { dry_run: true, message: 'why not' }, { check: true, message: 'why not' }],
    [{}, { diff: true, debug: true }, { diff: true, verbosity: 4 }],
    [
      chosen,
      {},
      { limit: 'one,two', hosts: ['one', 'two'], tags: ['fast', 'slow'], skip: ['late'] },
    ],
    [
      chosen,
      { limit: 'three', tags: 'fast', skip_tags: 'slow,never' },
      { limit: 'three', hosts: ['three'], tags: ['fast'], skip: ['never', 'slow'] },
    ],
    [{ ...args, git_branch: 'other' }, {}, { forks: 3, region: 'a b', branch: 'other' }],
    [
      { ...args, allow_override_args_in_task: true, allow_override_branch_in_task: true },
      { arguments: '["--forks=7", "-v"]', git_branch: 'other' },
      { forks: 7, verbosity: 1, region: 'a b', branch: 'other' },
    ],
    [
      { allow_override_inventory_in_task: true, environment_id: environmentId },
      { inventory_id: otherId },
      { hosts: ['elsewhere'], region: 'north', place: 'harbour' },
    ],
  ];
  const begun: Task[] = [];
  for (const [template, launched] of cases) {
    begun.push(await begin(app, seed, { inventory_id: inventoryId, ...template }, launched));
  }
  for (const [index, [, , expected]] of cases.entries()) {
    const task = begun[index];
    expect(task && (await observations(app, task))).toEqual({ ...usual, ...expected });
  }
});

test('templates are evaluated where authors write them, and never in what people give', async () => {
  const { app, seed } = await start();
  const place = await folder();
  const touch = (name: string): string =>
    `{{ lookup('pipe', 'touch ${join(place, name)}; echo evaluated') }}`;
  const { id: environmentId } = await app.admin.call(environments.create, {
    params: { project_id: seed.projectId },
    body: {
      name: 'E',
      json: JSON.stringify({ region: touch('environment') }),
      secrets: [{ operation: 'create', name: 'hidden', secret: touch('secret') }],
    },
  });
  const show = `- hosts: all
  gather_facts: false
  vars: { branch: main }
  tasks:
    - ansible.builtin.debug:
        msg: ["{{ region }}", "{{ answer }}", "{{ long }}", "{{ token }}", "{{ hidden }}", "{{ signalbox_vars }}"]
`;
  const { git_url: path } = await app.admin.call(repositories.one, {
    params: { project_id: seed.projectId, repository_id: seed.repositoryId },
  });
  await commitFiles(path, { 'show.yml': show });
  const task = await begin(
    app,
    seed,
    {
      playbook: 'show.yml',
      environment_id: environmentId,
      survey_vars: [
        { name: 'answer', title: 'A' },
        { name: 'long', title: 'L', type: 'text' },
        { name: 'token', title: 'T', type: 'secret' },
      ],
    },
    {
      environment: JSON.stringify({ answer: touch('answer'), long: touch('long') }),
      secret: JSON.stringify({ token: touch('token') }),
      message: touch('message'),
    },
  );
  const { status } = await untilFinished(app.admin, task);
  const log = await logText(app.admin, task);
  expect([status, log]).toEqual(['success', log]);
  expect(log.match(/evaluated"/g)).toHaveLength(1);
  expect(existsSync(join(place, 'environment'))).toBe(true);
  for (const name of ['answer', 'long', 'token', 'secret', 'message']) {
    expect([name, existsSync(join(place, name))]).toEqual([name, false]);
  }
});

// Ansible gives these to playbooks as variables, and evaluates the templates in them.
test.each(['limit', 'tags', 'skip_tags'])('a %s that is a template is refused', async (field) => {
  const { app, seed } = await start();
  const allowed = { [`allow_override_${field}_in_task`]: true };
  const { id } = await seed.template(allowed);
  for (const text of ['all,{{ 1 }}', '{% if 1 %}', '{# 1 #}']) {
    const params = { project_id: seed.projectId };
    const body = { template_id: id, [field]: text };
    const launched = await app.admin.ask(tasks.start, { params, body });
    const fields = [{ path: field, code: 'field.template_signs' }];
    expect([launched.status, launched.body.fields]).toMatchObject([400, fields]);
  }
});
