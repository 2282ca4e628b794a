import { describe, expect, test } from 'vitest';
import type { RunResult } from '#shared/api/run-results.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { usualResult } from '../../../../../test/helpers/usual-result.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { claimNext, launch } from '../../../../../test/helpers/tasks.ts';
import { appendResults, readResults } from './result-chunks.store.ts';

const told = (id: number, host: string, section: number, message = ''): RunResult => ({
  ...usualResult,
  id,
  host,
  section,
  state: message === '' ? 'ok' : 'failed',
  message,
});

/** Results of two hosts in turn, 100 of each section; some have a text that compresses badly. */
const many = (from: number, length: number): RunResult[] =>
  Array.from({ length }, (_, at) => {
    const id = from + at;
    const text = id % 50 === 0 ? `${id} `.repeat(3000) : '';
    return told(id, id % 2 === 0 ? 'two' : 'one', Math.ceil(id / 100), text);
  });

async function heldTask(app: TestApp) {
  const seed = await seedProject(app.admin, null);
  const template = await seed.template();
  await launch(app.admin, seed.projectId, { template_id: template.id });
  const task = await claimNext(app.ctx);
  if (!task) throw new Error('The task was not taken.');
  return task;
}

describe('the results of a run', () => {
  test('are read as they were stored, from every number and by every filter', async () => {
    const app = await testApp();
    const task = await heldTask(app);
    const { db } = app.ctx;
    const all = many(1, 1000);
    for (let at = 0; at < all.length; at += 130) {
      expect(await appendResults(db, task, at + 1, all.slice(at, at + 130))).toBe(true);
    }
    const read = (range: Partial<Parameters<typeof readResults>[2]>) =>
      readResults(db, task.id, { from: 1, limit: 5000, ...range });
    expect(await read({})).toEqual({ results: all, next: null });
    for (const from of [1, 2, 130, 131, 999, 1000, 1001]) {
      expect((await read({ from })).results).toEqual(all.slice(from - 1));
    }
    expect(await read({ from: 10, limit: 3 })).toEqual({ results: all.slice(9, 12), next: 13 });
    const ofTwo = all.filter(({ host, section }) => host === 'two' && [3, 7].includes(section));
    const filter = { host: 'two', sections: new Set([3, 7]) };
    expect((await read(filter)).results).toEqual(ofTwo);
    expect((await read({ state: 'failed' })).results).toHaveLength(20);
    const rows = await db.selectFrom('task_result_chunks').selectAll().execute();
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.reduce((sum, { results }) => sum + results, 0)).toBe(1000);
  });

  test('are stored once, however often and late a request comes', async () => {
    const app = await testApp();
    const task = await heldTask(app);
    const { db } = app.ctx;
    const all = many(1, 60);
    const store = (from: number, to: number) =>
      appendResults(db, task, from, all.slice(from - 1, to));
    const both = await Promise.all([store(1, 20), store(1, 20), store(1, 20)]);
    expect(both).toEqual([true, true, true]);
    expect(await store(10, 30)).toBe(true);
    expect(await store(1, 20)).toBe(true);
    expect(await store(32, 60)).toBe(false);
    expect(await store(31, 60)).toBe(true);
    const { results } = await readResults(db, task.id, { from: 1, limit: 1000 });
    expect(results).toEqual(all);
    const old = { ...task, lease: task.lease - 1 };
    await expect(appendResults(db, old, 61, many(61, 1))).rejects.toThrow(/another runner/);
  });
});
