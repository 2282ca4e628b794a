// Clients of later versions of the API say what narrows a run in another form: it holds as ours does.

import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { type Json, open, send } from '../helpers/later-forms.ts';
import { launch, untilFinished } from '../helpers/tasks.ts';

const params = {
  dry_run: true,
  diff: true,
  debug: true,
  debug_level: 2,
  limit: ['web1', 'web2'],
  tags: ['pkg'],
  skip_tags: [],
};

const flat = {
  dry_run: true,
  diff: true,
  debug: true,
  debug_level: 2,
  limit: 'web1,web2',
  tags: 'pkg',
  skip_tags: '',
};

test('a launch runs with what `params` says, and shows it in both forms', async () => {
  const { app, seed } = await appWithProject(
    { 'play.yml': 'for a; do echo "$a"; done\n' },
    { runner: true },
  );
  const template = await seed.template(open);
  const url = `/api/project/${seed.projectId}/tasks`;
  const { status, json } = await send(app, 'POST', url, { template_id: template.id, params });
  expect([status, json]).toMatchObject([201, { ...flat, params }]);
  const task = await app.admin.call(tasks.one, {
    params: { project_id: seed.projectId, task_id: Number(json['id']) },
  });
  const ended = await untilFinished(app.admin, task);
  const [command = ''] = ended.commands;
  for (const part of ['--limit=web1,web2', '--tags=pkg', '--check', '--diff', ' -vv ']) {
    expect(command).toContain(part);
  }
  expect(command).not.toContain('--skip-tags');
});

test('what a template does not open is refused in this form too', async () => {
  const { app, seed } = await appWithProject(null);
  const { id } = await seed.template();
  const url = `/api/project/${seed.projectId}/tasks`;
  for (const [name, given] of Object.entries({ limit: ['web1'], tags: ['a'], skip_tags: ['b'] })) {
    const answer = await send(app, 'POST', url, { template_id: id, params: { [name]: given } });
    expect([name, answer.json.code]).toEqual([name, 'task.field_not_allowed']);
  }
});

test('a launch takes nothing that it does not know, at any depth, and none that is odd', async () => {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template(open);
  const url = `/api/project/${seed.projectId}/tasks`;
  const refused: [body: Json, path: string, code: string][] = [
    [{ hosts: 'web1' }, 'hosts', 'field.unknown'],
    [{ params: { hosts: ['web1'] } }, 'params.hosts', 'field.unknown'],
    [{ params: { limit: { host: 'web1' } } }, 'params.limit', 'field.invalid'],
    [{ params: { limit: [''] } }, 'params.limit.0', 'field.required'],
    [{ params: { limit: ['@/etc/hosts'] } }, 'params.limit', 'field.host_file'],
    [{ params: { tags: ['{{ 1 }}'] } }, 'params.tags', 'field.template_signs'],
    [{ params: { dry_run: 'yes' } }, 'params.dry_run', 'field.type'],
    [{ params: { debug_level: 7 } }, 'params.debug_level', 'field.range'],
    [{ params: ['limit'] }, 'params', 'field.type'],
    [{ limit: 'web1', params: { limit: ['web2'] } }, 'params.limit', 'field.contradiction'],
    [{ dry_run: false, params: { dry_run: true } }, 'params.dry_run', 'field.contradiction'],
  ];
  for (const [body, path, code] of refused) {
    const { status, fields } = await send(app, 'POST', url, { template_id, ...body });
    expect([body, status, fields]).toEqual([body, 400, [[path, code]]]);
  }
  expect(await app.admin.call(tasks.list, { params: { project_id: seed.projectId } })).toEqual([]);
});

test('options of Terraform hold, or are refused by their names', async () => {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template({
    app: 'terraform',
    allow_auto_approve_in_task: true,
  });
  const url = `/api/project/${seed.projectId}/tasks`;
  const off = { auto_approve: false, destroy: false, upgrade: false, reconfigure: null };
  const planned = await send(app, 'POST', url, { template_id, params: { ...off, plan: true } });
  expect([planned.status, planned.json]).toMatchObject([201, { dry_run: true }]);
  const applied = await send(app, 'POST', url, { template_id, params: { auto_approve: true } });
  expect(applied.json).toMatchObject({ dry_run: false, auto_approve: true });
  for (const name of ['destroy', 'upgrade', 'reconfigure']) {
    const refused = await send(app, 'POST', url, { template_id, params: { [name]: true } });
    expect([refused.status, refused.fields]).toEqual([400, [[`params.${name}`, 'field.option']]]);
  }
});

test('a task that was read can be sent as a launch of the same', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template(open);
  const url = `/api/project/${seed.projectId}/tasks`;
  const first = await send(app, 'POST', url, { template_id: template.id, params });
  const again = await send(app, 'POST', url, first.json);
  expect([again.status, again.json]).toMatchObject([201, { ...flat, params }]);
  expect(again.json['id']).not.toBe(first.json['id']);
});

const template_params = {
  limit: ['web1', 'web2'],
  tags: ['pkg'],
  skip_tags: ['slow'],
  allow_override_limit: true,
  allow_override_tags: false,
  allow_override_skip_tags: true,
  allow_override_inventory: true,
  allow_debug: false,
};

const template_flat = {
  limit: 'web1,web2',
  tags: 'pkg',
  skip_tags: 'slow',
  allow_override_limit_in_task: true,
  allow_override_tags_in_task: false,
  allow_override_skip_tags_in_task: true,
  allow_override_inventory_in_task: true,
  allow_debug_in_task: false,
};

async function seedTemplate(body: Json) {
  const { app, seed } = await appWithProject(null);
  const url = `/api/project/${seed.projectId}/templates`;
  const fields = {
    name: 'Patch',
    playbook: 'play.yml',
    inventory_id: seed.inventoryId,
    repository_id: seed.repositoryId,
    environment_id: seed.environmentId,
  };
  const made = await send(app, 'POST', url, { ...fields, ...body });
  const one = `${url}/${Number(made.json['id'])}`;
  const read = async (): Promise<Json> => (await send(app, 'GET', one)).json;
  return { app, seed, fields, made, one, read };
}

test('a template keeps what `task_params` and `runner_tag` say, and shows both forms', async () => {
  const { made, read } = await seedTemplate({ task_params: template_params, runner_tag: 'dmz' });
  const both = { ...template_flat, task_params: template_params };
  expect([made.status, made.json]).toMatchObject([201, both]);
  expect(await read()).toMatchObject({ ...both, runner_tag: 'dmz', runner_tags: ['dmz'] });
});

test('a template that is changed in one form has the same result however often it is sent', async () => {
  const { app, one, read } = await seedTemplate({
    task_params: template_params,
    runner_tag: 'dmz',
  });
  const before = await read();
  const nested = { ...(before['task_params'] as Json), limit: ['web1'] };
  const unlike = { ...before, task_params: nested };
  const contradiction = [400, ['task_params.limit', 'field.contradiction']];
  for (const body of [unlike, unlike, { ...(await read()), limit: 'web9' }]) {
    const refused = await send(app, 'PUT', one, body);
    expect([refused.status, refused.fields?.[0]]).toEqual(contradiction);
    expect(await read()).toEqual(before);
  }
  for (const form of [{ task_params: { limit: ['web1'] } }, { limit: 'web1' }]) {
    const { limit: _limit, task_params: _params, ...rest } = before;
    for (let times = 0; times < 2; times += 1) {
      expect((await send(app, 'PUT', one, { ...rest, ...form })).status).toBe(204);
      expect(await read()).toMatchObject({ limit: 'web1', tags: 'pkg', skip_tags: 'slow' });
    }
  }
});

test('an empty form of an option beside a filled one says nothing, and widens no run', async () => {
  const { app, one, read } = await seedTemplate({});
  const { limit: _limit, tags: _tags, task_params: _params, ...rest } = await read();
  const filled = { limit: 'h1', tags: 'a' };
  const empty = { limit: '', tags: '' };
  const lists = { limit: ['h1'], tags: ['a'] };
  for (const forms of [
    { ...filled, task_params: { limit: [], tags: [] } },
    { ...empty, task_params: lists },
    { ...empty, task_params: { limit: [], tags: [], params: lists } },
  ]) {
    for (let times = 0; times < 3; times += 1) {
      expect((await send(app, 'PUT', one, { ...rest, ...forms })).status).toBe(204);
      expect(await read()).toMatchObject(filled);
    }
  }
});

test('a template refuses what it does not know inside `task_params`', async () => {
  const { app, one, read } = await seedTemplate({});
  const keys = { allow_destroy: 'option', limits: 'unknown', hosts: 'unknown' };
  for (const [key, code] of Object.entries(keys)) {
    const body = { ...(await read()), task_params: { [key]: true } };
    const { status, fields } = await send(app, 'PUT', one, body);
    expect([status, fields]).toEqual([400, [[`task_params.${key}`, `field.${code}`]]]);
  }
  const tag = await send(app, 'PUT', one, { ...(await read()), runner_tag: 'not a tag' });
  expect([tag.status, tag.fields?.[0]?.[0]]).toEqual([400, 'runner_tag']);
});

test('launches of the form that this server has always had go on', async () => {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template(open);
  const task = await launch(app.admin, seed.projectId, { template_id, limit: 'web1', debug: true });
  expect(task).toMatchObject({ limit: 'web1', debug: true, debug_level: 0, tags: '' });
});
