// A project saved into a file, and restored from one: its own, and one of the older API.

import { expect, test } from 'vitest';
import { oldClient, oldProject, oldTemplate, type Json } from '../helpers/old-client.ts';

test('a backup is read and restored under another name, and the empty keys are counted', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  const login_password = { login: 'a', password: 'not to be seen' };
  const key = { name: 'Login', type: 'login_password', login_password, project_id: project.id };
  await client.call('POST', `${project.at}/keys`, key);
  await client.call('POST', `${project.at}/templates`, oldTemplate(project));
  const read = await client.ask('GET', `${project.at}/backup`);
  expect([read.status, read.text.includes('not to be seen')]).toEqual([200, false]);
  const meta = { ...(read.json['meta'] as Json), name: 'Restored' };
  const file = { ...read.json, meta, project_id: project.id };
  const made = await client.ask('POST', '/projects/restore', file);
  expect([made.status, made.json]).toMatchObject([200, { name: 'Restored', type: '' }]);
  const at = `/project/${Number(made.json['id'])}`;
  const keys = await client.list(`${at}/keys`);
  expect(keys.filter(({ empty }) => empty).map(({ name }) => name)).toEqual(['Login']);
  const [template] = await client.list(`${at}/templates`);
  expect(template).toMatchObject({ name: 'Run', playbook: 'play.yml' });
  expect(await client.call('GET', `${at}/role`)).toEqual({ role: 'owner', permissions: 15 });
});

test('a backup that the older API made is restored', async () => {
  const client = await oldClient();
  const file = {
    meta: { name: 'From elsewhere', alert: true, max_parallel_tasks: 2, type: '' },
    keys: [
      { name: 'None', type: 'none' },
      { name: 'Login', type: 'login_password' },
    ],
    environments: [{ name: 'Empty', json: '{"a":1}', password: 'ignored' }],
    repositories: [
      { name: 'Code', git_url: 'https://example.com/x.git', git_branch: 'main', ssh_key: 'None' },
    ],
    inventories: [{ name: 'Hosts', inventory: 'localhost', type: 'static', ssh_key: 'Login' }],
    views: [{ title: 'All of it', position: 0 }],
    templates: [
      {
        name: 'Deploy',
        playbook: 'deploy.yml',
        allow_override_args_in_task: false,
        type: 'deploy',
        autorun: true,
        survey_vars: [],
        suppress_success_alerts: false,
        app: 'ansible',
        repository: 'Code',
        inventory: 'Hosts',
        environment: 'Empty',
        build_template: 'Build',
        view: 'All of it',
        vaults: [],
      },
      {
        name: 'Build',
        playbook: 'build.yml',
        type: 'build',
        start_version: '1.0',
        app: 'ansible',
        repository: 'Code',
        inventory: 'Hosts',
        environment: 'Empty',
        vaults: [{ vault_key: 'Login' }],
        cron: '0 3 * * *',
      },
    ],
    integrations: [],
    integration_aliases: [],
  };
  const made = await client.ask('POST', '/projects/restore', file);
  expect([made.status, made.json['name']]).toEqual([200, 'From elsewhere']);
  const at = `/project/${Number(made.json['id'])}`;
  const templates = await client.list(`${at}/templates?sort=name&order=asc`);
  expect(templates).toMatchObject([
    { name: 'Build', type: 'build', start_version: '1.0', vaults: [{ name: null }] },
    { name: 'Deploy', type: 'deploy', autorun: true, build_template_id: templates[0]?.['id'] },
  ]);
  expect(await client.list(`${at}/views`)).toMatchObject([{ title: 'All of it' }]);
});
