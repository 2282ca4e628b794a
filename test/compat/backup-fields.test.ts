// A backup of the older API: each of its fields is taken or noted, and scripts go on after the move.

import { expect, test } from 'vitest';
import { oldClient, type Json } from '../helpers/old-client.ts';
import { everyField } from '../helpers/older-backup.ts';
import { bearer, pollTask, programOf, tokenOf } from '../helpers/replay.ts';
import { gitRepository } from '../helpers/seed.ts';

interface Leaf {
  path: string;
  value: unknown;
}

/** The values at the ends of all paths, but those that say nothing. */
function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) {
    return value === null || value === '' ? [] : [{ path, value }];
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** Where a flag or a number stands in a backup of ours, if it is not the same path. */
const elsewhere: Record<string, string> = {
  allow_debug: 'allow_debug_in_task',
  allow_override_inventory: 'allow_override_inventory_in_task',
  allow_override_limit: 'allow_override_limit_in_task',
  allow_override_tags: 'allow_override_tags_in_task',
  allow_override_skip_tags: 'allow_override_skip_tags_in_task',
  allow_auto_approve: 'allow_auto_approve_in_task',
};

test('each field of a backup is taken, or named in the notes', async () => {
  const client = await oldClient();
  const program = programOf(client.address, 'curl', bearer(await tokenOf(client.address)));
  const document = everyField(await gitRepository({ 'play.yml': 'echo restored\n' }));
  const made = await program.call('POST', '/projects/restore', JSON.stringify(document));
  const notes = (made['notes'] as { path: string }[]).map(({ path }) => path);
  const at = `/project/${Number(made['id'])}`;
  const restored = await program.call('GET', `${at}/backup`);
  const texts = new Set(leavesOf(restored).map(({ value }) => String(value)));
  const isNoted = (path: string) => notes.some((one) => `${path}.`.startsWith(`${one}.`));
  const isTaken = ({ path, value }: Leaf): boolean => {
    if (typeof value === 'string') return texts.has(value);
    return isSameIn(restored, document, path, value);
  };
  const lost = leavesOf(document).filter((leaf) => !isNoted(leaf.path) && !isTaken(leaf));
  expect(lost).toEqual([]);
  // The notes name no field that the older API does not have, and none without a value.
  expect(notes.toSorted()).toEqual(
    [
      'secret_storages',
      'roles',
      'meta.default_secret_storage',
      'keys.1.owner',
      'keys.1.storage',
      'keys.2.source_storage_type',
      'keys.2.source_storage_key',
      'keys.3',
      'environments.0.password',
      'environments.0.secret_storage_key_prefix',
      'environments.0.sync_interval',
      'inventories.1.runner_tag',
      'views.0.hidden',
      'views.0.type',
      'views.0.filter',
      'views.0.sort_column',
      'views.0.sort_reverse',
      'templates',
      'templates.0.vault_key',
      'templates.0.cron',
      'templates.0.task_params.allow_override_skip_galaxy_install',
      'templates.0.task_params.hide_diff',
      'templates.0.roles',
      'templates.2.task_params.allow_destroy',
      'templates.2.task_params.override_backend',
      'templates.2.task_params.backend_filename',
      'schedules.0.task_params.project_id',
      'schedules.0.task_params.version',
      'schedules.0.task_params.inventory_id',
      'integrations.0.extract_values.0.variable_type',
    ].toSorted(),
  );
});

/** Whether a flag or a number has the same value in the restored resource of the same name. */
function isSameIn(restored: Json, document: Json, path: string, value: unknown): boolean {
  const [section = '', index = '', ...inner] = path.split('.');
  if (path === 'project_id') return true;
  if (section === 'meta') return (restored['meta'] as Json)[index] === value;
  const { name, title } = (document[section] as Json[])[Number(index)] ?? {};
  const same = (restored[section] as Json[]).find((one) =>
    name === undefined ? one['title'] === title : one['name'] === name,
  );
  // The nested options stand beside each other in ours.
  const last = inner.at(-1) ?? '';
  const places = [inner, inner.filter((one) => one !== 'params'), [elsewhere[last] ?? last]];
  return places.some((names) => valueAt(same, names) === value);
}

const valueAt = (value: unknown, names: string[]): unknown =>
  names.reduce((at, one) => (at as Json | undefined)?.[one], value);

test('a script that launched with variables, limit and branch goes on after the move', async () => {
  const client = await oldClient();
  const program = programOf(client.address, 'curl', bearer(await tokenOf(client.address)));
  const git_url = await gitRepository({ 'play.yml': 'for a; do echo "$a"; done\n' });
  const { keys, environments, repositories, inventories } = everyField(git_url);
  const template = {
    name: 'Release',
    playbook: 'play.yml',
    repository: 'Code',
    inventory: 'Hosts',
    environment: 'Second',
    allow_override_args_in_task: true,
  };
  const file = { meta: { name: 'Moved' }, keys, environments, repositories, inventories };
  const made = await program.call('POST', '/projects/restore', { ...file, templates: [template] });
  const at = `/project/${Number(made['id'])}`;
  const [first] = await program.list(`${at}/templates`);
  const body = {
    template_id: first?.['id'],
    environment: '{"colour": "red"}',
    limit: 'localhost',
    git_branch: 'main',
    arguments: '["--flush-cache"]',
  };
  const task = await program.call('POST', `${at}/tasks`, body);
  const path = `${at}/tasks/${Number(task['id'])}`;
  expect(await pollTask(program, path, 'success')).toMatchObject({ limit: 'localhost' });
  const lines = (await program.list(`${path}/output`)).map(({ output }) => output);
  expect(lines).toEqual(expect.arrayContaining(['--limit=localhost', '--flush-cache']));
});
