import { expect, test } from 'vitest';
import { MAX_RECENT_FIGURES, system } from '#shared/api/system.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { launch } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { FiguresSampler } from './recent-figures.ts';

test('keeps memory, disk and queue of the last hour', async () => {
  const { app, seed } = await appWithProject(null);
  const sampler = new FiguresSampler(app.ctx);
  expect(sampler.recent).toEqual([]);
  await sampler.sample();
  const template = await seed.template();
  await launch(app.admin, seed.projectId, { template_id: template.id });
  for (let minute = 1; minute <= MAX_RECENT_FIGURES + 2; minute += 1) {
    app.clock.set(new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString());
    await sampler.sample();
  }
  expect(sampler.recent).toHaveLength(MAX_RECENT_FIGURES);
  expect(sampler.recent.map(({ time }) => time)).toEqual(
    sampler.recent.map(({ time }) => time).toSorted((a, b) => (a < b ? -1 : 1)),
  );
  expect(sampler.recent[0]?.time).toBe('2026-11-21T08:03:00.000Z');
  expect(sampler.recent.at(-1)).toEqual({
    time: '2026-11-21T09:02:00.000Z',
    memory_bytes: expect.any(Number),
    free_bytes: expect.any(Number),
    waiting: 1,
  });
});

test('a database that does not answer leaves a gap in the queue only', async () => {
  const app = await testApp();
  const sampler = new FiguresSampler(app.ctx);
  await app.ctx.db.destroy();
  await sampler.sample();
  expect(sampler.recent).toEqual([
    expect.objectContaining({ waiting: null, memory_bytes: expect.any(Number) }),
  ]);
});

test('administrators read the samples with the other figures', async () => {
  const { app } = await appWithProject(null, { runner: true });
  const hasSample = async () => (await app.admin.call(system.figures, {})).recent.length === 1;
  expect(await until(hasSample)).toBe(true);
});
