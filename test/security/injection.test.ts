// Also on PostgreSQL: its statements are quoted in another way.
// Slow: more than a hundred tasks.
// Hostile values in every field that reaches git, Ansible or a path. Each is refused by the name
// of its field, or runs and does nothing: it never creates the canary.

import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { repositories } from '#shared/api/repositories.ts';
import { type Task, tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import {
  allowAll,
  expectUntouched,
  offer,
  runTemplates,
  setUp,
} from '../helpers/hostile-values.ts';
import { commitFiles, folder, git, gitRepository } from '../helpers/seed.ts';
import { launch, logText, untilAllFinished, untilStatus } from '../helpers/tasks.ts';

const longTime = 300_000;

test('an address or a branch of a repository', { timeout: longTime }, async () => {
  const { app, seed, canary, values, params } = await setUp({ isReal: false });
  const good = await gitRepository({ 'play.yml': 'echo ran\n' });
  const made: number[] = [];
  for (const [index, value] of values.entries()) {
    for (const [field, fields] of Object.entries({
      git_url: { git_url: value, git_branch: 'main' },
      git_branch: { git_url: good, git_branch: value },
    })) {
      const body = { name: `${field} ${index}`, ssh_key_id: seed.keyId, ...fields };
      const one = await offer(app.admin, repositories.create, { params, body }, field);
      if (one) made.push((await seed.template({ repository_id: one.id })).id);
    }
  }
  const logs = await runTemplates(app, seed.projectId, made);
  expect(logs.filter((log) => log.includes('\nran'))).toEqual([]);
  await expectUntouched(canary);
});

test('a branch, a playbook or arguments of a template', { timeout: longTime }, async () => {
  const { app, seed, canary, values, params } = await setUp({ isReal: false });
  const base = {
    repository_id: seed.repositoryId,
    inventory_id: seed.inventoryId,
    environment_id: seed.environmentId,
  };
  const made: number[] = [];
  for (const [index, value] of values.entries()) {
    for (const [field, fields] of Object.entries({
      git_branch: { git_branch: value, playbook: 'play.yml' },
      playbook: { playbook: value },
      arguments: { arguments: value, playbook: 'play.yml' },
    })) {
      const body = { ...base, name: `${field} ${index}`, ...fields };
      const one = await offer(app.admin, templates.create, { params, body }, field);
      if (one) made.push(one.id);
    }
  }
  const logs = await runTemplates(app, seed.projectId, made);
  expect(logs.filter((log) => log.includes('\nran'))).toEqual([]);
  await expectUntouched(canary);
});

test('a path or a name of an inventory', { timeout: longTime }, async () => {
  const { app, seed, canary, values, params } = await setUp({ isReal: false });
  const files: number[] = [];
  const named: number[] = [];
  for (const [index, value] of values.entries()) {
    for (const [field, fields] of Object.entries({
      inventory: { type: 'file' as const, inventory: value, name: `Number ${index}` },
      name: { type: 'static' as const, inventory: 'localhost\n', name: value },
    })) {
      const body = { ssh_key_id: seed.keyId, ...fields };
      const made = await offer(app.admin, inventories.create, { params, body }, field);
      if (!made) continue;
      const { id } = await seed.template({ inventory_id: made.id });
      if (field === 'inventory') files.push(id);
      else named.push(id);
    }
  }
  const logs = await runTemplates(app, seed.projectId, files);
  expect(logs.filter((log) => log.includes('\nran'))).toEqual([]);
  const [ran] = await runTemplates(app, seed.projectId, named.slice(-1));
  expect(ran).toContain('\nran');
  await expectUntouched(canary);
});

test('an inventory file that is a link out of its repository', async () => {
  const { app, seed, params } = await setUp({ isReal: false });
  const outside = join(await folder(), 'hosts');
  await writeFile(outside, 'localhost\n');
  const path = await gitRepository({ 'play.yml': 'echo ran\n' });
  await symlink(outside, join(path, 'hosts'));
  await symlink('.', join(path, 'same'));
  await commitFiles(path, { 'real/hosts': 'localhost\n' });
  const body = { name: 'Links', git_url: path, git_branch: 'main', ssh_key_id: seed.keyId };
  const { id: repository_id } = await app.admin.call(repositories.create, { params, body });
  const paths = ['hosts', 'same/hosts', 'same/real/hosts', '.git/config/x'];
  const made: number[] = [];
  for (const inventory of paths) {
    const { id: inventory_id } = await app.admin.call(inventories.create, {
      params,
      body: { name: inventory, type: 'file', inventory, ssh_key_id: seed.keyId, repository_id },
    });
    made.push((await seed.template({ inventory_id })).id);
  }
  const logs = await runTemplates(app, seed.projectId, made);
  expect(logs.map((log, index) => [paths[index], log.split('\n').at(-1)])).toEqual([
    ['hosts', 'The inventory file "hosts" lies outside the repository.'],
    ['same/hosts', 'The inventory file "same/hosts" lies outside the repository.'],
    ['same/real/hosts', 'ran'],
    ['.git/config/x', 'The inventory file ".git/config/x" is not in the repository.'],
  ]);
});

test('a branch, a commit, a playbook or arguments of a task', { timeout: longTime }, async () => {
  const { app, seed, canary, values, params } = await setUp({ isReal: false });
  const template = await seed.template(allowAll);
  const launched: Task[] = [];
  for (const value of values) {
    for (const field of ['git_branch', 'commit_hash', 'playbook', 'arguments']) {
      const body = { template_id: template.id, [field]: value };
      const made = await offer(app.admin, tasks.start, { params, body }, field);
      if (made) launched.push(made);
    }
  }
  const ends = await untilAllFinished(app.admin, launched);
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['error']));
  await expectUntouched(canary);
});

test('arguments reach Ansible each as one argument, from those who may give them', async () => {
  const { app, seed, canary, values, params } = await setUp({
    isReal: false,
    files: { 'play.yml': 'for one; do printf "<%s>\\n" "$one"; done\n' },
  });
  const list = values.filter((value) => /^[^\p{Cc}\p{Cs}]{1,999}$/u.test(value));
  const own = await seed.template({ arguments: JSON.stringify(list) });
  const task = await launch(app.admin, seed.projectId, { template_id: own.id });
  await untilStatus(app.admin, task, 'success');
  const log = await logText(app.admin, task);
  for (const value of list) expect(log).toContain(`<${value}>`);
  const body = { template_id: own.id, arguments: '["--extra-vars=x=1"]' };
  const refused = await app.admin.ask(tasks.start, { params, body });
  expect([refused.status, refused.body.params]).toEqual([422, { field: 'arguments' }]);
  await expectUntouched(canary);
});

test('a limit names no file of the server, which Ansible would read and show', async () => {
  const { app, seed, params } = await setUp({ isReal: false });
  const template = await seed.template(allowAll);
  const base = {
    name: 'Limited',
    playbook: 'play.yml',
    repository_id: seed.repositoryId,
    inventory_id: seed.inventoryId,
    environment_id: seed.environmentId,
  };
  for (const limit of ['@/etc/passwd', 'all,@hosts', 'all:@hosts', 'all, @hosts', 'web:&@hosts']) {
    const body = { template_id: template.id, limit };
    for (const answer of [
      await app.admin.ask(tasks.start, { params, body }),
      await app.admin.ask(templates.create, { params, body: { ...base, limit } }),
    ]) {
      expect([limit, answer.status, answer.body.fields]).toMatchObject([
        limit,
        400,
        [{ path: 'limit', code: 'field.host_file' }],
      ]);
    }
  }
  const launched = { template_id: template.id, limit: 'web:&eu:!me@example.com' };
  expect((await app.admin.ask(tasks.start, { params, body: launched })).status).toBe(201);
});

test('branches that are named to be options, in a repository that has them', async () => {
  const { app, seed, canary } = await setUp({ isReal: false });
  const path = await gitRepository({ 'play.yml': 'echo ran\n' });
  await git(path, 'update-ref', `refs/heads/--upload-pack=touch\${IFS}${canary}`, 'HEAD');
  await git(path, 'update-ref', 'refs/tags/--config=core.sshCommand=x', 'HEAD');
  const repository = await app.admin.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: { name: 'Options', git_url: path, git_branch: 'main', ssh_key_id: seed.keyId },
  });
  const template = await seed.template({ repository_id: repository.id });
  const [log] = await runTemplates(app, seed.projectId, [template.id]);
  expect(log).toContain('\nran');
  await expectUntouched(canary);
});
