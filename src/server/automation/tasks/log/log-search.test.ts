import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { searchOf, taskWithLog, whereOf } from '../../../../../test/helpers/logs.ts';
import { folder, seedProject } from '../../../../../test/helpers/seed.ts';
import { launch } from '../../../../../test/helpers/tasks.ts';
import { until } from '../../../../../test/helpers/until.ts';
import { MAX_HITS, searchLog } from './log-search.ts';

function* numbered(count: number, text: (number: number) => string): Generator<string> {
  for (let number = 1; number <= count; number += 1) yield text(number);
}

const numbersOf = ({ hits }: { hits: { line: number }[] }): number[] =>
  hits.map(({ line }) => line);

describe('searching a log', () => {
  test('finds every line that has the text, over all chunks and page by page', async () => {
    const app = await testApp();
    const text = (number: number): string =>
      number % 1000 === 0 ? `this is Needle ${number}` : `line ${number} of some length`;
    const task = await taskWithLog(app, numbered(20_000, text));
    const search = searchOf(app, task);
    const first = await search({ q: 'needle', limit: 15 });
    const rest = await search({ q: 'needle', limit: 15, from: first.next ?? 0 });
    expect(first).toMatchObject({ total: 20, is_exact: true, next: 16_000, through: 20_000 });
    expect(rest).toMatchObject({ total: 5, is_exact: true, next: null });
    const expected = Array.from({ length: 20 }, (_, index) => (index + 1) * 1000);
    expect([...numbersOf(first), ...numbersOf(rest)]).toEqual(expected);
    expect(first.hits[0]).toEqual({ line: 1000, text: 'this is Needle 1000', at: 8, length: 6 });
    expect((await search({ q: 'needle', case: 'on' })).total).toBe(0);
    expect((await search({ q: 'Needle', case: 'on' })).total).toBe(20);
    expect((await search({ q: 'needle', from: 20_001 })).total).toBe(0);
  });
});

test('looks at what is shown: no colours, no earlier states, no time stamps', async () => {
  const app = await testApp();
  const lines = [
    'chan\u001b[31mged\u001b[0m: [host]',
    ' 10 % done\r 20 % done\r100 % ready\r',
    '\u001b]8;;http://hidden\u0007link\u001b]8;;\u0007',
    'a.c(d) [x] \\ $',
    'Straße ÄÖÜ 🚆',
    'back\bspace',
  ];
  const search = searchOf(app, await taskWithLog(app, lines));
  const found = async (q: string) => numbersOf(await search({ q }));
  expect(await found('changed: [')).toEqual([1]);
  expect(await found('20 %')).toEqual([]);
  expect(await found('100 % ready')).toEqual([2]);
  expect(await found('hidden')).toEqual([]);
  expect(await found('LINK')).toEqual([3]);
  expect(await found('.c(d) [X] \\ $')).toEqual([4]);
  expect(await found('a.*')).toEqual([]);
  expect(await found('straße äöü 🚆')).toEqual([5]);
  expect(await found('backspace')).toEqual([6]);
  // Each stored line stands behind a time and a tab.
  expect(await found('0\t')).toEqual([]);
});

test('says where in an excerpt the hit lies, however long the line is', async () => {
  const app = await testApp();
  const search = searchOf(
    app,
    await taskWithLog(app, [`${'x'.repeat(1e6)}needle${'y'.repeat(1e6)}`]),
  );
  const [hit] = (await search({ q: 'needle' })).hits;
  expect(hit?.text.slice(hit.at, hit.at + hit.length)).toBe('needle');
  expect(hit?.text.length).toBe(200);
});

test('finds a text wherever it lies in a line of many megabytes', async () => {
  const app = await testApp();
  const at = 256 * 1024 - 3;
  const line = `${'a'.repeat(at)}needle${'a'.repeat(2_000_000)}Needle`;
  const task = await taskWithLog(app, [
    line,
    'a'.repeat(2_000_000),
    `${'a'.repeat(600_000)}NEEDLE`,
  ]);
  const search = searchOf(app, task);
  expect((await search({ q: 'needle' })).hits.map(({ line: number }) => number)).toEqual([1, 3]);
  expect((await search({ q: 'Needle', case: 'on' })).hits).toHaveLength(1);
});

test('takes a line of carriage returns like any other', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, [`${'\r'.repeat(2_000_000)}needle`, '\r'.repeat(2_000_000)]);
  const { hits } = await searchOf(app, task)({ q: 'needle' });
  expect(hits).toMatchObject([{ line: 1, text: 'needle' }]);
});

test('counts to a limit and says so', async () => {
  const app = await testApp();
  const search = searchOf(
    app,
    await taskWithLog(
      app,
      numbered(MAX_HITS + 1, () => 'same'),
    ),
  );
  expect(await search({ q: 'same', limit: 2 })).toMatchObject({
    total: MAX_HITS,
    is_exact: false,
    next: 3,
  });
  expect(await search({ q: 'same', limit: 1, from: 2 })).toMatchObject({
    total: MAX_HITS,
    is_exact: true,
  });
});

test('works while the task runs, and goes on behind what it has seen', async () => {
  const app = await testApp({ runner: true });
  const files = await folder();
  const more = join(files, 'more');
  const play = `echo first needle; until [ -e '${more}' ]; do sleep 0.05; done; echo second needle; sleep 60`;
  const seed = await seedProject(app.admin, { 'play.yml': play });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const search = searchOf(app, task);
  const first = await until(async () => {
    const answer = await search({ q: 'needle' });
    return answer.total > 0 && answer;
  });
  expect(first.hits.map(({ text }) => text)).toEqual(['first needle']);
  const from = first.through + 1;
  expect((await search({ q: 'needle', from })).total).toBe(0);
  await writeFile(more, '');
  const second = await until(async () => {
    const answer = await search({ q: 'needle', from });
    return answer.total > 0 && answer;
  });
  expect(second.hits.map(({ text }) => text)).toEqual(['second needle']);
});

test('ends when nobody waits for it any more', async () => {
  const app = await testApp();
  const task = await taskWithLog(
    app,
    numbered(100_000, () => 'needle'),
  );
  const query = { q: 'needle', case: 'off', from: 1, limit: 10 } as const;
  const answer = await searchLog(app.ctx.db, task, { ...query, gone: AbortSignal.abort() });
  expect(answer.total).toBeGreaterThan(0);
  expect(answer.total).toBeLessThan(MAX_HITS);
});

test('refuses an empty text, and hides the logs of other projects', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, ['text']);
  const refused = await app.admin.ask(tasks.search, { ...whereOf(task), query: { q: '' } });
  expect([refused.status, refused.body.fields?.[0]?.path]).toEqual([400, 'q']);
  const stranger = await app.user('stranger');
  const hidden = await stranger.ask(tasks.search, { ...whereOf(task), query: { q: 'text' } });
  expect(hidden.status).toBe(404);
});
