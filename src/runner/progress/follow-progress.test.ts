// What a runner makes of the file of a run's callback, whatever is written there.

import { expect, test } from 'vitest';
import { Away, follow, play, resultEvent, taskEvent } from '../../../test/runner/followed.ts';

test('lines that the callback has not written are dropped, and the log says so once', async () => {
  const { task, warnings } = await follow([
    'nonsense\n',
    play,
    taskEvent('Try'),
    '{"event":"result","host":7}\n',
    `${JSON.stringify({ ...resultEvent('one'), message: { cut: 5 } })}\n`,
    resultEvent('one', 'changed'),
  ]);
  expect(task.runResults).toMatchObject([{ id: 1, host: 'one', state: 'changed', section: 2 }]);
  expect(warnings).toEqual(['the progress of a task has lines that its callback has not written']);
});

test('a file that ends within a line keeps what stands before it', async () => {
  const { task, warnings } = await follow([
    play,
    taskEvent('Try'),
    resultEvent('one'),
    JSON.stringify(resultEvent('two')).slice(0, 40),
  ]);
  expect(task.runResults.map(({ host }) => host)).toEqual(['one']);
  expect(warnings).toEqual(['the progress of a task ends within a line']);
});

test('a file that is too long is dropped from there on, and the log says so once', async () => {
  const known = [play, taskEvent('Try'), resultEvent('one'), resultEvent('two', 'changed')];
  const size = known.reduce((sum, one) => sum + JSON.stringify(one).length + 1, 0);
  const many = Array.from({ length: 2000 }, (_, at) => resultEvent(`late-${at}`, 'failed'));
  // The limit lies within a line.
  const { task, warnings } = await follow([...known, ...many], { mostFileBytes: size + 20 });
  expect(task.runResults.map(({ host, state }) => [host, state])).toEqual([
    ['one', 'ok'],
    ['two', 'changed'],
  ]);
  expect([...task.hosts.keys()]).toEqual(['one', 'two']);
  expect([task.sections.size, task.failures]).toEqual([2, []]);
  expect(warnings).toEqual(['the progress of a task is too long, and is not followed any more']);
});

test('an endless line is dropped, and what follows it is read', async () => {
  const { task, warnings } = await follow([
    play,
    taskEvent('Try'),
    `${'x'.repeat(5_000_000)}\n`,
    resultEvent('one'),
  ]);
  expect(task.runResults).toHaveLength(1);
  expect(warnings).toHaveLength(1);
});

test('times, numbers and names that cannot be stored do not stop it', async () => {
  const { task } = await follow([
    play,
    taskEvent('Nu\0l', { role: 'a\0b', path: '/elsewhere/x.yml' }),
    resultEvent('a\tb\0\uD800', 'failed', { ms: 1e12, message: 'NUL \0, half \uD800' }),
    resultEvent('x'.repeat(400)),
  ]);
  const [first, second] = task.runResults;
  expect(first).toMatchObject({
    host: 'a\uFFFDb\uFFFD\uFFFD',
    duration_ms: 2 ** 31 - 1,
    message: 'NUL \uFFFD, half \uFFFD',
  });
  expect(second?.host).toHaveLength(250);
  expect(task.sections.get(2)).toMatchObject({
    name: 'Nu\uFFFDl',
    role: 'a\uFFFDb',
    path: null,
    file_line: null,
  });
  expect(task.failures).toHaveLength(1);
});

test('a runner that reads the file again stores nothing twice', async () => {
  const events = [
    play,
    taskEvent('Try'),
    ...['one', 'two', 'three'].map((host) => resultEvent(host, 'failed', { message: 'no' })),
  ];
  const whole = await follow(events);
  const again = await follow(events, { results: whole.task.runResults.slice(0, 2) });
  expect(again.sent).toEqual([1]);
  expect(again.task.runResults).toEqual(whole.task.runResults);
  expect(again.task.hosts).toEqual(whole.task.hosts);
  expect(again.task.failures).toEqual(whole.task.failures);
  expect(again.task.failures).toMatchObject([{ hosts: ['one', 'three', 'two'], host_count: 3 }]);
});

test('nothing is missing after a server that was away for a moment', async () => {
  let calls = 0;
  const failing = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    // Some requests arrive although their answers are lost.
    if (calls === 3) await call();
    if (calls < 6) throw new Away();
    return call();
  };
  const { task, warnings } = await follow([play, taskEvent('Try'), resultEvent('one', 'failed')], {
    through: (runnerApi) => ({
      ...runnerApi,
      recordSections: (of, sections) => failing(() => runnerApi.recordSections(of, sections)),
      storeResults: (of, from, results) => failing(() => runnerApi.storeResults(of, from, results)),
      recordHosts: (of, hosts) => failing(() => runnerApi.recordHosts(of, hosts)),
    }),
  });
  expect(task.runResults).toHaveLength(1);
  expect([task.sections.size, task.hosts.size, task.failures.length]).toEqual([2, 1, 1]);
  expect(warnings).toEqual([]);
});

test('what the server did not get before the runner ended is left to the next runner', async () => {
  const leaving = new AbortController();
  const events = [play, taskEvent('Try'), resultEvent('one', 'failed')];
  const { isLeft, warnings } = await follow(events, {
    detached: leaving.signal,
    through: (runnerApi) => ({
      ...runnerApi,
      storeResults() {
        leaving.abort();
        return Promise.reject(new Away());
      },
    }),
  });
  expect([isLeft, warnings]).toEqual([true, []]);
  expect((await follow(events)).isLeft).toBe(false);
});

test('results are sent in batches of at most a thousand and about a megabyte', async () => {
  const many = Array.from({ length: 2500 }, (_, at) => resultEvent(`host-${at}`));
  const small = await follow([play, taskEvent('Try'), ...many]);
  expect(small.sent).toEqual([1000, 1000, 500]);
  const output = 'x'.repeat(8000);
  const large = await follow([
    play,
    taskEvent('Try'),
    ...many.slice(0, 400).map((one) => ({ ...one, output })),
  ]);
  expect(large.sent.length).toBeGreaterThan(2);
  expect(large.task.runResults).toHaveLength(400);
});

test('a task that is shown again names its first section', async () => {
  const { task } = await follow([
    play,
    taskEvent('A'),
    resultEvent('one'),
    taskEvent('B'),
    resultEvent('one'),
    taskEvent('A'),
    resultEvent('two'),
  ]);
  const sections = [...task.sections.values()];
  expect(sections.map(({ number, first }) => [number, first])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 2],
  ]);
  expect(sections[1]).toMatchObject({
    path: 'roles/web/tasks/main.yml',
    file_line: 4,
    begin: '2026-05-01T09:59:59.995Z',
    end: '2026-05-01T10:00:00.000Z',
  });
});

test('failures have groups by task and message; rescued and ignored ones are none', async () => {
  const failed = (host: string, message: string, state = 'failed') =>
    resultEvent(host, state, { message });
  const { task } = await follow([
    play,
    taskEvent('A'),
    failed('one', 'busy'),
    failed('two', 'busy'),
    failed('three', 'gone'),
    failed('four', 'busy', 'unreachable'),
    failed('five', 'busy', 'rescued'),
    failed('six', 'busy', 'ignored'),
    ...Array.from({ length: 120 }, (_, at) => failed(`many-${at}`, 'many')),
    ...Array.from({ length: 60 }, (_, at) => failed(`odd-${at}`, `odd ${at}`)),
  ]);
  expect(
    task.failures
      .slice(0, 4)
      .map(({ state, message, host_count: n, hosts }) => [state, message, n, hosts.length]),
  ).toEqual([
    ['failed', 'busy', 2, 2],
    ['failed', 'gone', 1, 1],
    ['unreachable', 'busy', 1, 1],
    ['failed', 'many', 120, 100],
  ]);
  expect(task.failures).toHaveLength(50);
  expect(task.hosts.get('five')?.first_failure).toBeNull();
});

test('secrets are hidden in names, messages, outputs, differences and items, cut or whole', async () => {
  const key = '-----BEGIN KEY-----\nAAAAfirstline\nBBBBsecondline\n-----END KEY-----';
  const password = 'correct-horse';
  const text = `${password} ${key}`;
  const cut = { cut: 'it is correct-ho' };
  const tail = { cut: 'ondline\nis the end' };
  const told = { message: cut, output: tail, error_output: text };
  const diffs = [
    { name: text, text: `+${key.replaceAll('\n', '\n+')}` },
    { name: '', text: cut },
  ];
  const { task } = await follow(
    [
      { ...play, name: password },
      taskEvent(password, { role: password, path: `/run/files/${password}.yml`, module: password }),
      resultEvent(password, 'failed', {
        ...told,
        diffs,
        delegated_to: password,
        shown_items: [{ item: password, state: 'failed', ...told, diffs }],
      }),
    ],
    { secrets: [password, key] },
  );
  const { runResults, hosts, failures, sections, progress } = task;
  const all = JSON.stringify([runResults, [...hosts], failures, [...sections], progress]);
  expect(all).not.toMatch(/correct|horse|firstline|ondline/);
  expect(runResults).toMatchObject([
    { host: '********', message: 'it is ', output: '\nis the end', is_cut: true },
  ]);
});

test('two hosts whose names are secrets are one', async () => {
  const stats = ['one-secret', 'two-secret'].map((host) => ({
    host,
    ok: 1,
    changed: 0,
    unreachable: 0,
    failed: 0,
    skipped: 0,
    rescued: 0,
    ignored: 0,
  }));
  const { task } = await follow([play, { event: 'stats', hosts: stats }], {
    secrets: ['one-secret', 'two-secret'],
  });
  expect([...task.hosts.values()]).toMatchObject([{ host: '********', ok: 2 }]);
});

test('results have their lines, also those that were printed before others', async () => {
  const lines = [
    'TASK [A] ***',
    'ok: [one]',
    'skipping: [two]',
    '[WARNING]: about one',
    'ok: [one]',
  ];
  const spool = `${'filler\n'.repeat(10_000)}${lines.join('\n')}\n`;
  const ends = lines.map((_, at) => 70_000 + lines.slice(0, at + 1).join('\n').length + 1);
  const at = (index: number, from = index - 1) => ({
    at: ends[index] ?? 0,
    printed: (ends[index] ?? 0) - (from < 0 ? 70_000 : (ends[from] ?? 0)),
  });
  const { task } = await follow(
    [
      play,
      taskEvent('A', at(0)),
      resultEvent('two', 'skipped', at(2)),
      resultEvent('one', 'ok', at(1)),
      resultEvent('one', 'ok', at(4, 2)),
      resultEvent('two'),
      resultEvent('two', 'ok', { at: 2 ** 50, printed: 10 }),
    ],
    { spool },
  );
  expect(task.sections.get(2)?.line).toBe(10_001);
  expect(task.runResults.slice(0, 4).map(({ line }) => line)).toEqual([
    10_003,
    10_002,
    10_005,
    null,
  ]);
});
