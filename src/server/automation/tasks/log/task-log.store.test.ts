import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogLine } from '#shared/api/task-log.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { createLogChunks } from './log-chunks.ts';
import { chunksFrom, readLines } from './task-log.store.ts';
import { storeChunks } from '../../../../../test/helpers/store-chunks.ts';

async function newTask(app: TestApp): Promise<number> {
  const seed = await seedProject(app.admin);
  const { id } = await seed.template();
  const params = { project_id: seed.projectId };
  return (await app.admin.call(tasks.start, { params, body: { template_id: id } })).id;
}

const progressOf = (total: number) => ({ log_lines: total, spool_offset: 0 });

const startTime = Date.parse('2026-03-01T12:00:00.000Z');
const lineAt = (number: number, output = `line ${number}`): LogLine => ({
  time: new Date(startTime + number * 3).toISOString(),
  output,
});

describe('the log of a task', () => {
  test('is read as it was written, from every line and in every length', async () => {
    const app = await testApp();
    const taskId = await newTask(app);
    const chunks = createLogChunks(0);
    const written: LogLine[] = [];
    for (let number = 1; number <= 400; number += 1) {
      // Some of them long, so that there are many chunks.
      const line = lineAt(number, number % 10 === 0 ? 'x'.repeat(20_000) : `line\t${number} ü`);
      written.push(line);
      chunks.append(line);
      const pending = number % 7 === 0 || number === 400 ? chunks.take() : null;
      if (pending)
        await storeChunks(
          app.ctx.db,
          { id: taskId, lease: 0 },
          pending.chunks,
          progressOf(pending.total),
        );
    }
    for (const from of [1, 2, 33, 34, 35, 199, 399, 400, 401, 9999]) {
      for (const limit of [1, 2, 50, 1000]) {
        const expected = written.slice(from - 1, from - 1 + limit);
        expect(await readLines(app.ctx.db, taskId, { from, limit })).toEqual(expected);
      }
    }
    const whole: LogLine[] = [];
    for await (const chunk of chunksFrom(app.ctx.db, taskId, 1)) whole.push(...chunk.lines());
    expect(whole).toEqual(written);
    const rows = await app.ctx.db.selectFrom('task_log_chunks').select('bytes').execute();
    expect(rows.length).toBeLessThan(20);
    expect(Math.max(...rows.map(({ bytes }) => bytes))).toBeLessThanOrEqual(64 * 1024);
  });

  test('keeps a line that is larger than a chunk', async () => {
    const app = await testApp();
    const taskId = await newTask(app);
    const chunks = createLogChunks(0);
    const huge = lineAt(2, 'y'.repeat(5_000_000));
    for (const line of [lineAt(1), huge, lineAt(3)]) chunks.append(line);
    const pending = chunks.take();
    if (pending)
      await storeChunks(
        app.ctx.db,
        { id: taskId, lease: 0 },
        pending.chunks,
        progressOf(pending.total),
      );
    expect(await readLines(app.ctx.db, taskId, { from: 2, limit: 10 })).toEqual([huge]);
    expect(await readLines(app.ctx.db, taskId, { from: 3, limit: 10 })).toEqual([lineAt(3)]);
  });
});

test('numbers lines without a gap, however they are taken', () => {
  const action = fc.oneof(fc.constant('take' as const), fc.integer({ min: 0, max: 40_000 }));
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), fc.nat(5), (actions, stored) => {
      const chunks = createLogChunks(stored);
      const kept = new Map<number, string[]>();
      let appended = 0;
      const take = (): void => {
        const pending = chunks.take();
        for (const chunk of pending?.chunks ?? []) {
          kept.set(
            chunk.firstLine,
            chunk.lines.map(({ output }) => output),
          );
        }
      };
      for (const next of actions) {
        if (next === 'take') take();
        else {
          chunks.append(lineAt(appended, `${appended} ${'z'.repeat(next)}`));
          appended += 1;
        }
      }
      take();
      let expected = stored + 1;
      let count = 0;
      for (const [firstLine, lines] of [...kept].sort(([a], [b]) => a - b)) {
        expect(firstLine).toBe(expected);
        for (const line of lines) {
          expect(line.startsWith(`${count} `)).toBe(true);
          count += 1;
        }
        expected += lines.length;
      }
      expect(count).toBe(appended);
    }),
  );
});
