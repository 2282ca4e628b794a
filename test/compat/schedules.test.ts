// Schedules of both kinds: those of their own page, and those that ask a repository first.

import { expect, test } from 'vitest';
import { oldClient, oldProject, oldTemplate } from '../helpers/old-client.ts';

async function withTemplate() {
  const client = await oldClient();
  const project = await oldProject(client);
  const made = await client.call('POST', `${project.at}/templates`, oldTemplate(project));
  return { client, project, template: Number(made['id']) };
}

test('a schedule is checked, added, changed as a whole object, switched and deleted', async () => {
  const { client, project, template } = await withTemplate();
  const at = `${project.at}/schedules`;
  const check = (cron: string) => client.ask('POST', `${at}/validate`, { cron_format: cron });
  expect((await check('*/5 * * * *')).status).toBe(200);
  const wrong = await check('61 * * * *');
  expect([wrong.status, wrong.json['error']]).toEqual([400, expect.stringMatching(/^Cron: /)]);
  const form = { name: 'Nightly', template_id: template, cron_format: '@daily', active: true };
  const made = await client.ask('POST', at, { ...form, id: null, project_id: project.id });
  const shown = { id: made.json['id'], project_id: project.id, ...form, repository_id: null };
  expect([made.status, made.json]).toMatchObject([201, shown]);
  const [listed] = await client.list(at);
  expect(listed).toMatchObject({ ...shown, tpl_name: 'Run' });
  const path = `${at}/${Number(made.json['id'])}`;
  const change = { ...listed, cron_format: '30 3 * * 1-5', time_zone: null, missed: null };
  expect((await client.ask('PUT', path, change)).status).toBe(204);
  expect((await client.ask('PUT', `${path}/active`, { active: false })).status).toBe(204);
  expect(await client.call('GET', path)).toMatchObject({
    cron_format: '30 3 * * 1-5',
    active: false,
  });
  expect((await client.ask('PUT', path, { ...change, id: 999 })).status).toBe(400);
  expect((await client.ask('DELETE', path)).status).toBe(204);
  expect(await client.list(at)).toEqual([]);
});

test('a schedule of the first version is on, and stays on or off', async () => {
  const { client, project, template } = await withTemplate();
  const at = `${project.at}/schedules`;
  const letter = {
    project_id: project.id,
    template_id: template,
    cron_format: '*/10 * * * *',
    repository_id: null,
  };
  const made = await client.call('POST', at, letter);
  expect(made).toMatchObject({ ...letter, active: true });
  const path = `${at}/${Number(made['id'])}`;
  const change = { ...letter, id: made['id'], cron_format: '@hourly' };
  for (const active of [true, false]) {
    await client.call('PUT', `${path}/active`, { active });
    await client.call('PUT', path, change);
    expect(await client.call('GET', path)).toMatchObject({ cron_format: '@hourly', active });
  }
  await client.call('PUT', `${path}/active`, { active: true });
  await client.call('PUT', path, { ...change, name: 'Of a later version' });
  expect(await client.call('GET', path)).toMatchObject({ active: false });
  const later = await client.call('POST', at, { ...letter, name: 'Nightly' });
  expect(later).toMatchObject({ active: false });
});

test('the form of a template keeps its check for new commits', async () => {
  const { client, project, template } = await withTemplate();
  const own = `${project.at}/templates/${template}/schedules`;
  expect(await client.list(own)).toEqual([]);
  const form = {
    project_id: project.id,
    template_id: template,
    cron_format: '*/10 * * * *',
    repository_id: project.repository,
    active: true,
  };
  const made = await client.ask('POST', `${project.at}/schedules`, form);
  expect(made.status).toBe(201);
  expect(await client.list(own)).toMatchObject([{ id: made.json['id'], ...form }]);
  const path = `${project.at}/schedules/${Number(made.json['id'])}`;
  const change = { id: made.json['id'], ...form, cron_format: '@hourly' };
  expect((await client.ask('PUT', path, change)).status).toBe(204);
  expect(await client.list(own)).toMatchObject([{ cron_format: '@hourly', name: '' }]);
  expect((await client.ask('DELETE', path)).status).toBe(204);
});

test('a cron text may begin with its time zone', async () => {
  const { client, project, template } = await withTemplate();
  const at = `${project.at}/schedules`;
  const form = { name: 'Nightly', template_id: template, active: true };
  for (const [cron_format, time_zone, zone] of [
    ['CRON_TZ=Europe/Madrid 0 3 * * *', undefined, 'Europe/Madrid'],
    ['TZ=Asia/Tokyo 0 3 * * *', '', 'Asia/Tokyo'],
    ['CRON_TZ=Asia/Tokyo 0 3 * * *', 'Europe/Madrid', 'Europe/Madrid'],
  ]) {
    const made = await client.call('POST', at, { ...form, cron_format, time_zone });
    expect(made).toMatchObject({ cron_format: '0 3 * * *', time_zone: zone });
  }
  const unknown = { ...form, cron_format: 'CRON_TZ=Mars/Base 0 3 * * *' };
  const refused = await client.ask('POST', at, unknown);
  expect([refused.status, refused.json['fields']]).toMatchObject([400, [{ path: 'time_zone' }]]);
  const asked = { cron_format: 'CRON_TZ=Asia/Tokyo 0 3 * * *' };
  const due = await client.call('POST', `${at}/validate`, asked);
  expect(due).toMatchObject({ time_zone: 'Asia/Tokyo' });
});
