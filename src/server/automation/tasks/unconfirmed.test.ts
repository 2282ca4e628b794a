// Also on PostgreSQL: what a task waits for lies in its row.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { launch, logText, readTask, untilStatus } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { stopUnconfirmed } from './confirmation.ts';

const standIn = fileURLToPath(
  new URL('../../../../test/fixtures/stand-in/terraform', import.meta.url),
);
const day = 24 * 60 * 60 * 1000;

describe('a task that nobody confirms', () => {
  test('is stopped when its days are over, says so, and lets the next one begin', async () => {
    const app = await testApp({ runner: true, config: { confirmDays: 3 } });
    await app.admin.call(apps.update, { params: { app_id: 'terraform' }, body: { path: standIn } });
    const seed = await seedProject(app.admin, { 'main.tf': '# input: one\n' });
    const asking = await seed.template({ requires_confirmation: true, retries: 2 });
    const planning = await seed.template({ app: 'terraform', playbook: '', inventory_id: null });
    const ids = [asking, planning].map(({ id }) => id);
    const start = (template_id: number) => launch(app.admin, seed.projectId, { template_id });
    const waiting = [];
    for (const id of ids) {
      waiting.push(await untilStatus(app.admin, await start(id), 'waiting_confirmation'));
    }
    const behind = await start(asking.id);
    app.clock.advance(3 * day - 60_000);
    await stopUnconfirmed(app.ctx);
    for (const task of waiting) {
      expect((await readTask(app.admin, task)).status).toBe('waiting_confirmation');
    }
    app.clock.advance(120_000);
    await stopUnconfirmed(app.ctx);
    for (const task of waiting) {
      expect((await readTask(app.admin, task)).status).toBe('stopped');
      expect(await logText(app.admin, task)).toMatch(
        /Nobody has confirmed this task within 3 days\. Stopped\.$/,
      );
    }
    await untilStatus(app.admin, behind, 'waiting_confirmation');
    const runs = join(app.ctx.config.dataDir, 'runs');
    expect(await until(async () => (await readdir(runs)).length === 0)).toBe(true);
  });

  test('waits as long as it takes where there is no limit', async () => {
    const { app, seed } = await appWithProject(undefined, {
      runner: true,
      config: { confirmDays: 0 },
    });
    const { id } = await seed.template({ requires_confirmation: true });
    const task = await launch(app.admin, seed.projectId, { template_id: id });
    await untilStatus(app.admin, task, 'waiting_confirmation');
    app.clock.advance(6 * day);
    await stopUnconfirmed(app.ctx);
    expect((await readTask(app.admin, task)).status).toBe('waiting_confirmation');
  });
});
