import { expect, test } from 'vitest';
import type { LogHits } from '#shared/api/task-log.ts';
import { LogFinder } from './log-finder.ts';

/** A log in which every tenth line has a hit. */
function finderOf(lines: number, pageSize = 3) {
  const log = { lines, asked: [] as number[], fails: false };
  const ask = async (_: unknown, from: number): Promise<LogHits> => {
    await Promise.resolve();
    log.asked.push(from);
    if (log.fails) throw new Error('no connection');
    const numbers: number[] = [];
    for (let line = 10; line <= log.lines; line += 10) if (line >= from) numbers.push(line);
    const hits = numbers.map((line) => ({ line, text: 'hit', at: 0, length: 3 }));
    const next = numbers[pageSize] ?? null;
    const page = hits.slice(0, pageSize);
    return { total: hits.length, is_exact: true, hits: page, next, through: log.lines };
  };
  return { log, finder: new LogFinder(ask) };
}

const wanted = { text: 'hit', matchCase: false };

test('goes to the first hit from what is looked at on, and round at both ends', async () => {
  const { finder } = finderOf(30);
  const lineAt = () => finder.found().hits[finder.found().at]?.line;
  finder.lookFrom(15);
  const jumps: number[] = [];
  finder.onJump((line) => jumps.push(line));
  await finder.find(wanted);
  expect([finder.found().total, lineAt()]).toEqual([3, 20]);
  const seen: unknown[] = [];
  for (const by of [1, 1, -1, -1] as const) {
    await finder.step(by);
    seen.push(lineAt());
  }
  expect(seen).toEqual([30, 10, 30, 20]);
  // What the search itself scrolls to does not count.
  finder.lookFrom(25);
  await finder.find(wanted);
  expect(lineAt()).toBe(20);
  await finder.find({ ...wanted, text: '' });
  finder.lookFrom(31);
  await finder.find(wanted);
  expect(lineAt()).toBe(10);
  expect(jumps).toEqual([20, 30, 10, 30, 20, 20, 10]);
});

test('loads the next page when it steps behind the last hit it has', async () => {
  const { finder, log } = finderOf(70);
  await finder.find(wanted);
  for (let step = 0; step < 3; step += 1) await finder.step(1);
  expect(log.asked).toEqual([1, 40]);
  expect(finder.found()).toMatchObject({ total: 7, at: 3 });
  expect(finder.found().hits.map(({ line }) => line)).toEqual([10, 20, 30, 40, 50, 60]);
});

test('finds what comes while the task runs, once', async () => {
  const { finder, log } = finderOf(5);
  await finder.find(wanted);
  expect(finder.found()).toMatchObject({ total: 0, at: -1 });
  log.lines = 20;
  await finder.goOn(log.lines);
  await finder.goOn(log.lines);
  log.lines = 30;
  await finder.goOn(log.lines);
  expect(log.asked).toEqual([1, 6, 21]);
  expect(finder.found()).toMatchObject({ total: 3, at: 0 });
});

test('forgets an answer that came too late, and says when one did not come', async () => {
  const { finder, log } = finderOf(30);
  const late = finder.find(wanted);
  await finder.find({ ...wanted, text: '' });
  await late;
  expect(finder.found()).toMatchObject({ text: '', total: 0, hits: [], busy: false });
  log.fails = true;
  await finder.find(wanted);
  expect(finder.found()).toMatchObject({ total: 0, busy: false, failure: expect.any(Error) });
});
