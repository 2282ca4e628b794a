// A success that reached no host is told apart from others wherever its status is.

import { describe, expect, test } from 'vitest';
import { backups } from '#shared/api/backups.ts';
import { overview } from '#shared/api/overview.ts';
import { templates } from '#shared/api/templates.ts';
import { addChannel, alertConfig, listAlerts } from '../../../../test/helpers/alerts.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { claimNext, launch, readTask } from '../../../../test/helpers/tasks.ts';
import { beginStep } from './runs/runner-tasks.ts';
import { endTask } from './move-task.ts';

const noHosts = { code: 'failure.no_hosts', params: {} } as const;

describe('a run on no host', () => {
  test('is marked in lists and alerts, and does not tell that a template works again', async () => {
    const { app, seed, params } = await appWithProject(undefined, { config: alertConfig() });
    await addChannel(app.admin, seed.projectId, {
      address: 'http://127.0.0.1:9/',
      events: ['failed', 'recovered', 'succeeded'],
    });
    const { id } = await seed.template({ name: 'Site' });
    await app.admin.call(overview.pin, { params: { ...params, template_id: id } });
    const run = async (to: 'success' | 'error', failure: typeof noHosts | null) => {
      app.clock.advance(60_000);
      const task = await launch(app.admin, seed.projectId, { template_id: id });
      const held = await claimNext(app.ctx);
      if (!held) throw new Error('No task was taken.');
      await beginStep(app.ctx, held, { step: 1, commands: [] });
      await endTask(app.ctx, held, to, { exitCode: 0, failure });
      return readTask(app.admin, task);
    };
    await run('error', null);
    const shown = { status: 'success', failure: noHosts };
    expect(await run('success', noHosts)).toMatchObject(shown);
    const [pin] = await app.admin.call(overview.pins, {});
    expect(pin?.last_task).toMatchObject(shown);
    await run('success', null);
    const alerts = await listAlerts(app.admin, seed.projectId);
    expect(alerts.map(({ event }) => event)).toEqual(['failed', 'succeeded', 'recovered']);
    const sent = await app.ctx.db
      .selectFrom('alert_deliveries')
      .select('alert')
      .orderBy('id')
      .execute();
    expect(sent.map(({ alert }) => alert.includes('"no_hosts":true'))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('fails with new templates, and not with restored ones', async () => {
    const { app, seed, params } = await appWithProject();
    const made = await seed.template();
    expect(made.fail_without_hosts).toBe(true);
    await launch(app.admin, seed.projectId, { template_id: made.id });
    expect((await claimNext(app.ctx))?.snapshot.failWithoutHosts).toBe(true);
    const { templates: all, ...backup } = await app.admin.call(backups.read, { params });
    const [{ fail_without_hosts: isOn, ...earlier } = {}] = all ?? [];
    expect(isOn).toBe(true);
    const body = { ...backup, templates: [earlier] };
    const restored = await app.admin.call(backups.restore, { body });
    const list = await app.admin.call(templates.list, { params: { project_id: restored.id } });
    expect(list.map((one) => one.fail_without_hosts)).toEqual([false]);
  });
});
