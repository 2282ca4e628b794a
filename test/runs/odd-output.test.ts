// Also on PostgreSQL: its texts cannot hold every byte that a program prints.
// Slow: many programs print, each in a task of its own.
// What programs print beside plain lines, through a real run: stored and given back as it was.

import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { liveWidth } from '#shared/api/live.ts';
import { shownText } from '#shared/terminal.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { connect } from '../helpers/live.ts';
import { searchOf, whereOf } from '../helpers/logs.ts';
import { seedProject, type Seed } from '../helpers/seed.ts';
import { launch, untilFinished } from '../helpers/tasks.ts';
import { fixedSeed } from '../helpers/random.ts';

/** Runs a shell script; returns the task and the number of the first line that it printed. */
async function run(app: TestApp, script: string) {
  return runPlaybook(app, await seedProject(app.admin, { 'play.yml': script }));
}

async function runPlaybook(app: TestApp, seed: Seed, playbook = 'play.yml') {
  const template = await seed.template({ playbook });
  const launched = await launch(app.admin, seed.projectId, { template_id: template.id });
  const task = await untilFinished(app.admin, launched, 60);
  const { lines } = await app.admin.call(tasks.lines, { ...whereOf(task), query: { limit: 20 } });
  const first = lines.findIndex(({ output }) => output.startsWith('Command: ')) + 2;
  return { task, first };
}

/** The file that is downloaded, from a line on, with its colours. */
async function download(app: TestApp, task: Task, from: number, limit?: number): Promise<string> {
  const query = { color: 'on', from, ...(limit && { limit }) } as const;
  return (await app.admin.ask(tasks.text, { ...whereOf(task), query })).body;
}

/** Where two texts begin to differ; -1: nowhere. */
function difference(one: string, other: string): number {
  if (one === other) return -1;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return at;
}

/** What is to be stored of these bytes, by the shortest way to say it. */
function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').replaceAll('\0', '\uFFFD').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => {
    const isEnded = index < lines.length - 1 || bytes.at(-1) === 0x0a;
    return isEnded ? line.replace(/\r$/, '') : line;
  });
}

const seeded = { seed: fixedSeed, numRuns: 1 };
const garbage = (pieces: string[], length: number): Buffer =>
  Buffer.from(
    (fc.sample(fc.array(fc.constantFrom(...pieces), { minLength: length }), seeded)[0] ?? []).join(
      '',
    ),
  );
const random = Buffer.from(fc.sample(fc.uint8Array({ minLength: 60_000 }), seeded)[0] ?? []);
const escapes = ['\u001b', '[', ']', '0', ';', 'm', '\u0007', '\u001b\\', '\u009b', 'P', 'x', '\n'];

const odd: [title: string, bytes: Buffer][] = [
  ['bytes of any value', random],
  ['text that is not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0xc3, 0x0a, 0xe2, 0x82])],
  ['a byte order mark', Buffer.from('\uFEFFmarked\n\uFEFF\n')],
  ['NUL', Buffer.from('a\0b\n\0\0\n')],
  ['a progress bar', Buffer.from('start\n 10 %\r 50 %\r100 %\rdone\nnext\r\nlast\r')],
  ['no line end at the end', Buffer.from('one\ntwo')],
  ['empty lines', Buffer.from('\n\n\na\n\n\n')],
  ['nothing', Buffer.from('')],
  ['control sequences without sense', garbage(escapes, 20_000)],
  ['letters of several bytes', garbage(['ü', '🚆', '漢', 'e\u0301', '\n', ' '], 50_000)],
];

type Printed = { app: TestApp; runs: Awaited<ReturnType<typeof runPlaybook>>[] };

/** All of them in one project of one server, beside each other. */
let printed: Promise<Printed> | undefined;
afterAll(async () => (await printed)?.app.close());

async function printAll(): Promise<Printed> {
  const app = await testApp({ runner: true, shared: true });
  const files = odd.flatMap(([, bytes], index) => [
    [`${index}.yml`, `base64 -d bytes-${index}\n`],
    [`bytes-${index}`, bytes.toString('base64')],
  ]);
  const seed = await seedProject(app.admin, Object.fromEntries(files));
  return { app, runs: await Promise.all(odd.map((_, at) => runPlaybook(app, seed, `${at}.yml`))) };
}

const numbered = odd.map(([title, bytes], index) => ({ title, bytes, index }));

test.each(numbered)('gives back as they were printed: $title', async ({ bytes, index }) => {
  const { app, runs } = await (printed ??= printAll());
  const ran = runs[index];
  if (!ran) throw new Error('it did not run');
  const { task, first } = ran;
  const expected = linesOf(bytes);
  expect(task).toMatchObject({ status: 'success', log_lines: first - 1 + expected.length });
  const text = expected.map((line) => `${line}\n`).join('');
  expect(difference(await download(app, task, first), text)).toBe(-1);
  const output = (await app.admin.call(tasks.output, whereOf(task))).slice(first - 1);
  expect(output.map((line) => line.output)).toEqual(expected);
  const range = { ...whereOf(task), query: { from: first, limit: 5000 } };
  const { lines } = await app.admin.call(tasks.lines, range);
  expect(lines.map((line) => line.output)).toEqual(expected.slice(0, 5000));
  // Whatever it is, the search looks through it.
  expect((await searchOf(app, task)({ q: 'Command: ansible' })).total).toBe(1);
});

test('shows of a progress bar its last state', () => {
  expect(shownText(' 10 %\r 50 %\r\u001b[32m100 %\u001b[0m\r')).toBe('100 %');
});

test('keeps a line of 10 MB whole, and gives live readers the begin of it', async () => {
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const client = await connect(address, { cookie: app.admin.cookie });
  const size = 10 * 1024 * 1024;
  const script = `head -c ${size} /dev/zero | tr '\\0' x; echo; echo after\n`;
  const { task, first } = await run(app, script);
  client.send({
    type: 'subscribe',
    topic: 'task_log',
    project_id: task.project_id,
    task_id: task.id,
    after: first - 1,
  });
  await client.untilMessage('log_end');
  const live = client.messages.flatMap((each) => (each.type === 'lines' ? each.lines : []));
  expect(live.map(({ output, cut }) => [output.length, cut])).toEqual([
    [liveWidth, size - liveWidth],
    [5, undefined],
  ]);
  const range = (query: object) =>
    app.admin.call(tasks.lines, { ...whereOf(task), query: { from: first, ...query } });
  const [whole] = (await range({ limit: 1 })).lines;
  expect(whole?.output === 'x'.repeat(size)).toBe(true);
  expect((await range({ width: 10 })).lines).toMatchObject([
    { output: 'xxxxxxxxxx', cut: size - 10 },
    { output: 'after' },
  ]);
  expect((await download(app, task, first, 1)) === `${'x'.repeat(size)}\n`).toBe(true);
});

test('cuts a line that never ends, and loses or doubles nothing of it', async () => {
  const app = await testApp({ runner: true });
  const script = 'awk \'BEGIN { for (i = 0; i < 2500000; i++) printf "%07d,", i }\'\n';
  const { task, first } = await run(app, script);
  const output = (await app.admin.call(tasks.output, whereOf(task))).slice(first - 1);
  expect(output.map((line) => line.output.length)).toEqual([16_777_216, 20_000_000 - 16_777_216]);
  const text = output.map((line) => line.output).join('');
  expect(text.endsWith('2499998,2499999,')).toBe(true);
});

test('stores a million lines as they were printed', async () => {
  const app = await testApp({ runner: true });
  const { task, first } = await run(app, 'seq 1 1000000\n');
  expect(task.log_lines).toBe(first - 1 + 1_000_000);
  const expected = Array.from({ length: 1_000_000 }, (_, index) => `${index + 1}\n`).join('');
  expect(difference(await download(app, task, first), expected)).toBe(-1);
}, 120_000);
