// Alerts about what a member does not see do not reach them.

import { expect, test } from 'vitest';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { backups } from '#shared/api/backups.ts';
import { restrictions } from '#shared/api/grants.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { addChannel, alertConfig, runTo } from '../../../../test/helpers/alerts.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { targetOf } from './alert-deliveries.ts';
import { listDue } from './alert-deliveries.store.ts';

const settings = { smtpUrl: 'smtp://127.0.0.1:9', from: 'signalbox@example.com' };

async function start() {
  const app = await testApp({ config: alertConfig(settings) });
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  await app.ctx.db.updateTable('projects').set({ alert: 1 }).execute();
  const manager = await app.member(seed.projectId, 'manager');
  const owner = await app.member(seed.projectId, 'owner');
  const readers = [manager.userId, owner.userId];
  await app.ctx.db.updateTable('users').set({ alert: 1 }).where('id', 'in', readers).execute();
  const template = await seed.template({ name: 'Secret' });
  const object = { object_type: 'template' as const, object_id: template.id };
  const restrict = (mode: 'open' | 'hidden') =>
    owner.call(restrictions.set, { params, body: { ...object, mode } });
  const fail = () => runTo(app, seed.projectId, { template_id: template.id }, 'error');
  const due = async () => {
    const later = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const all = await listDue(app.ctx.db, later, 100);
    return all.filter(({ user_id: user }) => user !== null).toSorted((a, b) => a.id - b.id);
  };
  const told = async () => (await due()).map(({ user_id: user }) => user);
  return { app, seed, params, manager, owner, template, restrict, fail, due, told };
}

test('mails about a task go to members who see its template', async () => {
  const { app, manager, owner, restrict, fail, due, told } = await start();
  await restrict('hidden');
  await fail();
  expect(await told()).toEqual([owner.userId]);
  await restrict('open');
  await fail();
  expect(await told()).toEqual([owner.userId, manager.userId, owner.userId]);
  await restrict('hidden');
  const targets = await Promise.all(
    (await due()).map(async (one) => [one.user_id, (await targetOf(app.ctx, one)) !== null]),
  );
  expect(targets).toEqual([
    [owner.userId, true],
    [manager.userId, false],
    [owner.userId, true],
  ]);
});

test('nobody sends alerts somewhere about what they do not see, or takes it along in a backup', async () => {
  const { app, seed, params, owner, template, restrict } = await start();
  const rights = ['alert.edit', 'project.edit', 'backup.read', 'template.see'] as const;
  const body = { name: 'Alerting', rights: [...rights] };
  const { slug } = await owner.call(projectRoles.create, { params, body });
  const one = await app.member(seed.projectId, 'guest');
  const at = { params: { ...params, user_id: one.userId } };
  await owner.call(members.update, { ...at, body: { role: slug } });
  await restrict('hidden');
  const shown = await seed.template({ name: 'Shown' });
  const named = await addChannel(owner, seed.projectId, { template_ids: [template.id] });
  const all = await addChannel(owner, seed.projectId);
  const channel = { name: 'Mine', type: 'webhook' as const, address: 'https://example.com/mine' };
  const create = (template_ids: number[]) =>
    one.ask(alertChannels.create, { params, body: { ...channel, template_ids } });
  expect((await create([])).body.code).toBe('alert.restricted');
  expect((await create([template.id])).body.fields).toMatchObject([{ code: 'field.reference' }]);
  expect((await create([shown.id])).status).toBe(201);
  for (const { id } of [named, all]) {
    const change = {
      ...channel,
      name: `Mine ${id}`,
      override_secret: true,
      template_ids: [shown.id],
    };
    const which = { params: { ...params, alert_channel_id: id } };
    const answer = await one.ask(alertChannels.update, { ...which, body: change });
    expect([answer.status, answer.body.code]).toEqual([403, 'alert.restricted']);
  }
  const project = await owner.call(projects.one, { params });
  const chat = { ...project, alert: true, alert_chat: '-100' };
  const answer = await one.ask(projects.update, { params, body: chat });
  expect([answer.status, answer.body.code]).toEqual([403, 'alert.restricted']);
  const backup = await one.ask(backups.read, { params });
  expect([backup.status, backup.body.code]).toEqual([403, 'permission.restricted']);
});
