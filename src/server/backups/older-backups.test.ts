// Backups of the older API, written by hand as it writes them.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { backups, type Restored } from '#shared/api/backups.ts';
import { schedules } from '#shared/api/schedules.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../../../test/helpers/app.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { launch, logText, untilFinished } from '../../../test/helpers/tasks.ts';

interface Older {
  meta: { name: string };
  repositories: { git_url: string }[];
  templates: object[];
  [section: string]: unknown;
}

async function readFixture(name: string): Promise<Older> {
  const path = new URL(`../../../test/fixtures/backups/${name}.json`, import.meta.url);
  return JSON.parse(await readFile(path, 'utf8')) as Older;
}

async function restore(app: TestApp, document: unknown): Promise<Restored> {
  const { status, body } = await app.admin.ask(backups.restore, { body: document });
  expect([status, body.fields]).toEqual([200, undefined]);
  return body;
}

test('one whose lists were incomplete is restored, and its template runs', async () => {
  const app = await testApp({ runner: true });
  const document = await readFixture('lists-incomplete');
  const files = { 'unload.yml': 'echo unloaded\n', 'weigh.yml': 'echo weighed\n' };
  for (const one of document.repositories) one.git_url = await gitRepository(files);
  document.meta.name = 'Another harbour';
  const made = await restore(app, document);
  expect(made).toMatchObject({
    name: 'Another harbour',
    alert: true,
    alert_chat: '-1001',
    max_parallel_tasks: 2,
    empty_keys: [
      { name: 'Crew', type: 'ssh' },
      { name: 'Captain', type: 'login_password' },
    ],
    empty_secrets: [],
    alert_channels: [],
    notes: [
      { path: 'environments.0.password', code: 'restored.field_unknown' },
      { path: 'templates.0.vault_key', code: 'restored.field_unknown' },
      { path: 'templates', code: 'restored.opened' },
    ],
  });
  const params = { project_id: made.id };
  const restored = await app.admin.call(backups.read, { params });
  expect(restored.views.map(({ title, position }) => [title, position])).toEqual([
    ['Daily', 0],
    ['Nightly', 1],
  ]);
  expect(restored.environments.map(({ name, json, env }) => [name, json, env])).toEqual([
    ['Tides', '{"high": true}', '{}'],
  ]);
  expect(JSON.stringify(restored)).not.toContain('canary');
  const list = await app.admin.call(templates.list, { params });
  const [unload, weigh] = list;
  expect(unload).toMatchObject({ description: 'Moves what has arrived', vaults: [] });
  // The template cannot run because its sudo credentials are missing.
  const refused = await launch(app.admin, made.id, { template_id: weigh?.id ?? 0 });
  expect((await untilFinished(app.admin, refused)).status).toBe('error');
  expect(await logText(app.admin, refused)).toContain('The key "Captain" has no secret yet');
  const inventories = [
    { name: 'Quay', inventory: 'localhost', type: 'static', ssh_key: 'Nothing' },
  ];
  const again = await restore(app, { ...document, inventories });
  const [runs] = await app.admin.call(templates.list, { params: { project_id: again.id } });
  const task = await launch(app.admin, again.id, { template_id: runs?.id ?? 0 });
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  const [, weighed] = document.templates as object[];
  const alone = { ...document, templates: [{ ...weighed, inventory: undefined }] };
  const { id, notes } = await restore(app, alone);
  expect(notes.slice(-1)).toMatchObject([
    { path: 'templates.0.inventory', code: 'restored.no_inventory', params: { name: 'Weigh' } },
  ]);
  const [without] = await app.admin.call(templates.list, { params: { project_id: id } });
  expect(without).toMatchObject({ inventory_id: null, environment_id: null });
});

test('one with builds, deploys, vaults, schedules and integrations is restored', async () => {
  const app = await testApp();
  const made = await restore(app, await readFixture('full'));
  expect(made.notes.map(({ path, code, text }) => [path, code, text])).toEqual([
    ['templates', 'restored.opened', expect.stringContaining('any variable')],
    ['templates.1.cron', 'restored.schedule_off', expect.stringContaining('"Build"')],
    ['templates.2.cron', 'restored.schedule_off', expect.stringContaining('"Deploy"')],
    ['integrations.1', 'restored.always_runs', expect.stringContaining('"Silent"')],
  ]);
  const params = { project_id: made.id };
  const restored = await app.admin.call(backups.read, { params });
  const [last, build, deploy, plan] = restored.templates;
  expect(last).toMatchObject({
    build_template: 'Deploy',
    autorun: true,
    suppress_success_alerts: true,
  });
  expect(build).toMatchObject({
    start_version: '1.0.7',
    git_branch: 'release',
    allow_override_args_in_task: true,
    survey_vars: [
      { name: 'track', type: 'int', required: true, description: 'A number' },
      { name: 'speed', type: 'enum', values: [{ value: '1' }, { name: 'Fast', value: '2' }] },
      { name: 'word', type: 'secret', required: false },
    ],
    vaults: [
      { name: null, vault_key: 'Safe' },
      { name: 'prod', vault_key: 'Hook' },
    ],
  });
  expect(deploy).toMatchObject({ build_template: 'Build' });
  expect(plan).toMatchObject({ app: 'terraform', playbook: '', inventory: 'Blue' });
  expect(restored.schedules).toMatchObject([
    { template: 'Build', cron_format: '0 3 * * *', repository: 'Code', active: false, name: '' },
    { template: 'Deploy', cron_format: '*/10 * * * *', repository: 'Code', active: false },
  ]);
  const shown = await app.admin.call(schedules.list, { params });
  expect(shown.map(({ next_due }) => next_due)).toEqual([null, null]);
  expect(restored.integrations[0]).toMatchObject({
    auth_method: 'hmac',
    auth_secret: 'Hook',
    searchable: true,
    template: 'Build',
    aliases: ['0a1b2c3d4e5f6g7h'],
    matchers: [{ key: 'ref', value: 'refs/heads/main' }, { match_type: 'header' }],
    extract_values: [{ key: 'commits.[0].id', variable: 'commit' }, { variable: 'sender' }],
  });
  expect(restored.integration_aliases).toEqual(['zzzzyyyyxxxxwwww']);
});

test('a broken one is refused with all that is wrong with it', async () => {
  const app = await testApp();
  const document = await readFixture('broken');
  const { status, body } = await app.admin.ask(backups.restore, { body: document });
  expect([status, body.code]).toEqual([400, 'request.invalid']);
  const found = (body.fields ?? []).map(({ path, code }) => `${path}: ${code}`);
  expect(found.toSorted()).toEqual(
    [
      'meta.alert: field.type',
      'meta.name: project.name_required',
      'keys.1.name: restore.name_repeated',
      'keys.2.type: field.option',
      'environments.0.json: field.json_object',
      'repositories.0.ssh_key: restore.unknown_reference',
      'repositories.1.git_url: repository.url_incorrect',
      'inventories.0.inventory: field.path',
      'inventories.1.type: field.option',
      'views.0.title: view.title_required',
      'templates.0.repository: template.repository_required',
      'templates.1.build_template: template.build_template_wrong',
      'templates.2.vaults.0.vault_key: restore.unknown_reference',
      'templates.2.view: restore.unknown_reference',
      'templates.3.name: field.type',
      'integration_aliases.0: field.type',
    ].toSorted(),
  );
});

test('what starts its templates and cannot be used is left out, and all else is restored', async () => {
  const app = await testApp();
  const document = await readFixture('full');
  const cron = '*/10 * * * *';
  const made = await restore(app, {
    ...document,
    schedules: [
      {},
      { name: 'Broken', template: 'Build', cron_format: '99 * * * *' },
      { name: 'Of nothing', template: 'Unknown', cron_format: '@daily' },
      { name: 'Steps', template: 'Build', cron_format: '0/5 * * * *', active: true },
      { name: 'Zoned', template: 'Build', cron_format: 'CRON_TZ=Asia/Tokyo 0 3 * * *' },
      { name: '', template: 'Deploy', cron_format: cron, active: false },
    ],
    integrations: [...((document['integrations'] as object[] | undefined) ?? []), {}, { name: 7 }],
  });
  const leftOut = made.notes.filter(({ code }) => code === 'restored.unusable');
  expect(leftOut.map(({ path, params, error }) => [path, params.name, error?.code])).toEqual([
    ['integrations.3.name', '', 'field.type'],
    ['schedules.0.template', '', 'field.required'],
    ['schedules.1.cron_format', 'Broken', 'schedule.cron_minute'],
    ['schedules.2.template', 'Of nothing', 'restore.unknown_reference'],
    ['integrations.2.name', '', 'name.required'],
  ]);
  expect(leftOut[2]?.text).toBe(
    '"Broken" cannot be used here and was skipped. schedules.1.cron_format: The minute "99" is not valid',
  );
  const params = { project_id: made.id };
  const restored = await app.admin.call(backups.read, { params });
  const found = restored.schedules.map((one) => `${one.template} ${one.cron_format} ${one.name}`);
  expect(found.toSorted()).toEqual([
    'Build 0 3 * * * ',
    'Build 0 3 * * * Zoned',
    'Build 0/5 * * * * Steps',
    `Deploy ${cron} `,
  ]);
  const zoned = restored.schedules.find(({ name }) => name === 'Zoned');
  expect(zoned).toMatchObject({ time_zone: 'Asia/Tokyo' });
  expect(restored.integrations).toHaveLength((document['integrations'] as object[]).length);
});
