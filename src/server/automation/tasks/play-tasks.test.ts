// The tasks of a run as people read them, and the sections of the log that show them.

import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { taskWithLog, whereOf } from '../../../../test/helpers/logs.ts';
import { runOf } from '../../../../test/helpers/run-results.ts';
import { upsertSections } from './log/sections.store.ts';
import { appendResults } from './results/result-chunks.store.ts';

test('a task that the log shows twice is one task, and both sections lead to its results', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, ['PLAY', 'TASK', 'TASK', 'TASK']);
  const { sections, results } = runOf(
    ['one', 'two'],
    [
      { name: 'Copy', on: (host) => (host === 0 ? { state: 'ok' } : null) },
      { name: 'Restart', on: () => ({ state: 'changed' }) },
      { name: 'Copy', on: (host) => (host === 1 ? { state: 'failed' } : null) },
    ],
  );
  const held = { id: task.id, lease: 0 };
  const again = sections.map((one) => (one.number === 4 ? { ...one, first: 2 } : one));
  await upsertSections(app.ctx.db, held, again);
  await appendResults(app.ctx.db, held, 1, results);

  const { tasks: shown } = await app.admin.call(tasks.playTasks, whereOf(task));
  expect(shown).toMatchObject([
    { section: 2, sections: [2, 4], name: 'Copy', play: 'Patch servers', ok: 1, failed: 1 },
    { section: 3, sections: [3], name: 'Restart', changed: 2, failed: 0 },
  ]);
  const outline = await app.admin.call(tasks.outline, { ...whereOf(task), query: {} });
  expect(outline.sections.map(({ section }) => section)).toEqual([1, 2, 3, 2]);
  const told = await app.admin.call(tasks.results, { ...whereOf(task), query: { section: 2 } });
  expect(told.results.map(({ host, state }) => [host, state])).toEqual([
    ['one', 'ok'],
    ['two', 'failed'],
  ]);
});

test('results are returned for lines of the log, of all sections that begin or go on there', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, ['PLAY', 'TASK', 'ok', 'fatal', 'TASK', 'ok']);
  const { sections, results } = runOf(
    ['one', 'two'],
    [
      { name: 'Copy', on: (host) => ({ state: host === 0 ? 'ok' : 'failed', line: 3 + host }) },
      { name: 'Restart', on: (host) => (host === 0 ? { state: 'ok', line: 6 } : null) },
      { name: 'Print nothing', on: () => ({ state: 'ok', line: null }) },
    ],
  );
  const held = { id: task.id, lease: 0 };
  const lineOf = new Map([
    [3, 5],
    [4, 7],
  ]);
  const moved = sections.map((one) => ({ ...one, line: lineOf.get(one.number) ?? one.line }));
  await upsertSections(app.ctx.db, held, moved);
  await appendResults(app.ctx.db, held, 1, results);
  const linesOf = async (query: object) => {
    const told = await app.admin.call(tasks.results, { ...whereOf(task), query });
    return told.results.map(({ host, line }) => [host, line]);
  };
  expect(await linesOf({ from_line: 4, to_line: 6 })).toEqual([
    ['two', 4],
    ['one', 6],
  ]);
  expect(await linesOf({ from_line: 4 })).toEqual([
    ['two', 4],
    ['one', 6],
  ]);
  expect(await linesOf({ to_line: 3 })).toEqual([['one', 3]]);
  expect(await linesOf({ from_line: 1, to_line: 9, section: 2 })).toEqual([
    ['one', 3],
    ['two', 4],
  ]);
  expect(await linesOf({ from_line: 9, to_line: 3 })).toEqual([]);
});
