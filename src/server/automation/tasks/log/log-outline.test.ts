import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { taskWithLog, whereOf } from '../../../../../test/helpers/logs.ts';
import { createLogChunks } from './log-chunks.ts';
import { createOutline, MAX_SECTIONS } from './log-outline.ts';
import { findOutline } from './log-outlines.ts';
import { upsertSections } from './sections.store.ts';
import { removeLog } from '../retention/retention.store.ts';
import { storeChunks } from '../../../../../test/helpers/store-chunks.ts';

const stars = '*'.repeat(40);
const green = (text: string): string => `\u001b[0;32m${text}\u001b[0m`;

function outlineOf(lines: string[]) {
  const outline = createOutline();
  for (const [index, line] of lines.entries()) outline.read(index + 1, line);
  return outline;
}

/** Counts that are not 0, of a task that printed these lines. */
function countsOf(...lines: string[]): Record<string, number> {
  const [section] = outlineOf([`TASK [x] ${stars}`, ...lines]).sections;
  const { kind: _kind, line: _line, name: _name, ...counts } = section ?? {};
  return Object.fromEntries(
    Object.entries(counts as Record<string, number>).filter(([, count]) => count !== 0),
  );
}

test('finds plays, tasks, handlers and the recap by the lines in which they begin', () => {
  const { sections } = outlineOf([
    'Command: ansible-playbook site.yml',
    '',
    `PLAY [Web servers] ${stars}`,
    '',
    `TASK [nginx : Install [the] package] ${stars}`,
    green('ok: [web1]'),
    `\u001b[1;35mRUNNING HANDLER [restart] [CHECK MODE] ***\u001b[0m`,
    `PLAY ${stars}`,
    'TASK [no stars behind it]',
    `  TASK [printed by a program] ${stars}`,
    `PLAY RECAP ${stars}`,
    'web1 : ok=1 changed=0',
  ]);
  expect(sections.map(({ kind, line, name }) => [kind, line, name])).toEqual([
    ['play', 3, 'Web servers'],
    ['task', 5, 'nginx : Install [the] package'],
    ['handler', 7, 'restart'],
    ['play', 8, ''],
    ['recap', 11, ''],
  ]);
});

test.each([
  ['each host once', ['ok: [a]', 'changed: [b] => {"x": 1}', 'ok: [c]'], { ok: 2, changed: 1 }],
  [
    'a host with many items by the most severe',
    ['ok: [a] => (item=1)', 'changed: [a] => (item=2)', 'skipping: [a] => (item=3)'],
    { changed: 1 },
  ],
  ['hosts that were left out', ['skipping: [a]', 'skipping: [b]'], { skipped: 2 }],
  ['failures', ['fatal: [a]: FAILED! => {"msg": "no"}', 'failed: [b] (item=1)'], { failed: 2 }],
  ['hosts out of reach', ['fatal: [a]: UNREACHABLE! => {}', 'ok: [b]'], { unreachable: 1, ok: 1 }],
  [
    'failures that the playbook does not mind',
    ['fatal: [a]: FAILED! => {}', '...ignoring', 'fatal: [b]: FAILED! => {}'],
    { ignored: 1, failed: 1 },
  ],
  ['a host whose work another one does', ['ok: [a -> localhost]', 'ok: [a -> b]'], { ok: 1 }],
  ['files that are included', ['included: /tmp/x.yml for a, b'], { ok: 2 }],
  ['no further attempt', ['FAILED - RETRYING: [a]: Wait (3 retries left).'], {}],
  [
    'coloured lines',
    [green('ok: [a]'), '\u001b[0;31mfatal: [b]: FAILED!\u001b[0m'],
    { ok: 1, failed: 1 },
  ],
  ['no text of a program', ['  ok: [a]', 'okay', 'ok: nobody'], {}],
])('counts %s', (_what, lines, counts) => {
  expect(countsOf(...lines)).toEqual(counts);
});

test('tells a bounded number of sections apart, and says so', () => {
  const outline = createOutline();
  for (let line = 1; line <= MAX_SECTIONS + 5; line += 1) outline.read(line, `TASK [t${line}] ***`);
  outline.read(MAX_SECTIONS + 6, 'ok: [a]');
  expect(outline.isComplete).toBe(false);
  expect(outline.sections).toHaveLength(MAX_SECTIONS);
  expect(outline.sections.at(-1)).toMatchObject({ name: `t${MAX_SECTIONS}`, ok: 0 });
});

function* playbook(count: number): Generator<string> {
  yield `PLAY [all] ${stars}`;
  for (let number = 1; number <= count; number += 1) {
    yield `TASK [task ${number}] ${stars}`;
    for (let host = 1; host <= 9; host += 1) yield green(`ok: [host-${host}.example.com]`);
  }
}

test('answers the outline of a log, from a line on', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, playbook(2000));
  const all = await app.admin.call(tasks.outline, whereOf(task));
  expect(all).toMatchObject({ through: 20_001, is_complete: true });
  expect(all.sections).toHaveLength(2001);
  expect(all.sections.slice(1).every(({ ok }) => ok === 9)).toBe(true);
  const late = await app.admin.call(tasks.outline, { ...whereOf(task), query: { from: 19_992 } });
  expect(late.sections).toEqual(all.sections.slice(-1));
  const none = await app.admin.call(tasks.outline, { ...whereOf(task), query: { from: 99_999 } });
  expect(none).toEqual({ sections: [], through: 20_001, is_complete: true });
});

test('goes on where it stopped while the log grows, also with two who ask at once', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, []);
  const chunks = createLogChunks(0);
  const gone = new AbortController().signal;
  const time = new Date().toISOString();
  let grown = 0;
  const ask = () => findOutline(app.ctx.db, { ...task, log_lines: grown }, { from: 1, gone });
  expect(await ask()).toEqual({ sections: [], through: 0, is_complete: true });
  for (const output of playbook(300)) {
    chunks.append({ time, output });
    grown += 1;
    if (grown % 700 !== 0) continue;
    const progress = { log_lines: grown, spool_offset: 0 };
    await storeChunks(app.ctx.db, { id: task.id, lease: 0 }, chunks.take()?.chunks ?? [], progress);
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one.through).toBe(grown);
    expect(other).toEqual(one);
    // The last section has what has been stored of it, and no host twice.
    const counts = one.sections.slice(1).map(({ ok }) => ok);
    expect(counts.slice(0, -1).every((count) => count === 9)).toBe(true);
    expect(counts.at(-1)).toBe((grown - 2) % 10);
  }
  expect(grown).toBe(3001);
});

test('what the callback has told comes before the text', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, playbook(5));
  const counts = { ok: 0, changed: 0, skipped: 0, failed: 0, unreachable: 0, ignored: 0 };
  const source = { module: '', role: '', path: null, file_line: null, begin: null, end: null };
  const place = { number: 1, first: 1, line: 1, ...source };
  const play = { ...place, kind: 'play' as const, name: 'A\0', ...counts, rescued: 0 };
  const of = { number: 2, first: 2, line: 2 };
  const first = { ...play, ...of, kind: 'task' as const, name: 'B', rescued: 2 };
  const held = { id: task.id, lease: 0 };
  await upsertSections(app.ctx.db, held, [play, first]);
  await upsertSections(app.ctx.db, held, [
    { ...first, ok: 3 },
    { ...play, number: 3, first: 3, kind: 'recap', line: 9999, name: '' },
  ]);
  const outline = await app.admin.call(tasks.outline, whereOf(task));
  expect(outline.sections).toEqual([
    { kind: 'play', section: 1, line: 1, name: 'A\uFFFD', ...counts, rescued: 0 },
    { kind: 'task', section: 2, line: 2, name: 'B', ...counts, ok: 3, rescued: 2 },
    // Nothing was printed behind its place.
    { kind: 'recap', section: 3, line: task.log_lines, name: '', ...counts, rescued: 0 },
  ]);
  const late = await app.admin.call(tasks.outline, { ...whereOf(task), query: { from: 2 } });
  expect(late.sections).toEqual(outline.sections.slice(1));
  await expect(upsertSections(app.ctx.db, { ...held, lease: 7 }, [first])).rejects.toThrow(
    'another runner',
  );
  await removeLog(app.ctx.db, task.id);
  const gone = await app.admin.call(tasks.outline, whereOf(task));
  expect(gone).toEqual({ sections: [], through: 0, is_complete: true });
});

test('forgets the outline of a log that was removed', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, playbook(5));
  expect((await app.admin.call(tasks.outline, whereOf(task))).sections).toHaveLength(6);
  await removeLog(app.ctx.db, task.id);
  const gone = await app.admin.call(tasks.outline, whereOf(task));
  expect(gone).toEqual({ sections: [], through: 0, is_complete: true });
});

test('shows a log in the browser instead of saving it, as plain text', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, ['<script>alert(1)</script>']);
  const saved = await app.admin.ask(tasks.text, whereOf(task));
  const shown = await app.admin.ask(tasks.text, { ...whereOf(task), query: { inline: 'on' } });
  expect(saved.headers['content-disposition']).toMatch(/^attachment;/);
  expect(shown.headers).toMatchObject({
    'content-disposition': expect.stringMatching(/^inline;/),
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(shown.body).toBe(saved.body);
});
