// Slow: sends hundreds of thousands of messages.
// Only on SQLite: its statements run on the thread of the event loop, which they hold there.
// What `largest-inputs.test.ts` measures for bodies, for the messages of the websocket, the query strings and
// the headers of requests. `MEASURED_VERSION` names the folder of another version that is measured instead.

import { env, stdout } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { endpoints } from '#shared/api/index.ts';
import { pathOf } from '#shared/api/path.ts';
import { liveInputs, type LiveIds } from '../helpers/largest/live-inputs.ts';
import {
  findEndpoint,
  leastRole,
  startMeasured,
  type Ids,
  type MeasuredServer,
} from '../helpers/largest/measured-server.ts';
import { longHeaders, longTexts } from '../helpers/largest/long-texts.ts';
import { runnerInputs } from '../helpers/largest/runner-inputs.ts';
import { sendLive } from '../helpers/largest/send-live.ts';
import { isDear, shown, wrongOf, type Measured } from '../helpers/largest/show-measured.ts';
import { folder } from '../helpers/seed.ts';

const testTimeMs = 1_800_000;
const waitingTasks = 300;

const checkout = env['MEASURED_VERSION'];

/**
 * The milliseconds of the version of October 2026, where they were over the limit or its memory was: for
 * projects that do not exist it took 290 MB.
 */
const before: Record<string, number> = {
  'websocket projects, with 440 unknown fields': 230,
  'websocket projects that do not exist': 274,
};

async function setUp(): Promise<MeasuredServer> {
  return startMeasured(await folder(), checkout, ({ stop }) => onTestFinished(stop));
}

const fieldsOf = ({ query }: Endpoint): string[] =>
  Object.keys((query as { shape?: object }).shape ?? {});

/** Of what the server has none, any id stands in the path. */
const paramsOf = ({ path }: Endpoint, ids: Ids): Ids =>
  Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, ids[name] ?? 1]));

/** Lets tasks wait for the remote runner, and gives the task of this runner a log. */
async function fill({ beat, send, cost, server, ids }: MeasuredServer): Promise<LiveIds> {
  const waiting: number[] = [];
  const path = pathOf(findEndpoint('tasks.start').endpoint, { params: ids });
  const body = JSON.stringify({ template_id: ids['template_id'], environment: '{"one": "a"}' });
  await cost('task_runner', async (own) => {
    const headers = { 'content-type': 'application/json', ...own };
    for (let count = 0; count < waitingTasks; count += 1) {
      const answer = await fetch(`${server.address}${path}`, { method: 'POST', headers, body });
      waiting.push(((await answer.json()) as { id: number }).id);
    }
    return { status: 201, error: '' };
  });
  const log = runnerInputs.find(({ what }) => what === '41 MB of lines');
  const lines = JSON.stringify({ ...(log?.body(ids) as object), from: 1 });
  await beat();
  const { status } = await send('remote runner', findEndpoint('runnerApi.log'), lines);
  expect(status).toBe(200);
  return { projectId: Number(ids['project_id']), taskId: Number(ids['held_id']), waiting };
}

test(
  'a guest who sends the largest messages of the websocket, and many of them, delays nobody',
  async () => {
    const measured = await setUp();
    const ids = await fill(measured);
    const all: Measured[] = [];
    for (const input of liveInputs) {
      let bytes = 0;
      const measure = () =>
        measured.cost('guest', async (headers) => {
          const sent = await sendLive(measured.server.address, headers, { ids, input });
          bytes = sent.sentBytes;
          expect(sent.receivedBytes).toBeGreaterThanOrEqual(input.answerBytes ?? 0);
          return { status: 101, error: '' };
        });
      const first = await measure();
      // What was dear by chance, such as a collection of garbage, is not so again.
      const cost = isDear(first) && checkout === undefined ? await measure() : first;
      all.push({ endpoint: 'websocket', role: 'guest', what: input.what, bytes, ...cost });
    }
    stdout.write(`${shown(all, before)}\n`);
    expect(wrongOf(all)).toEqual([]);
  },
  testTimeMs,
);

test(
  'the longest query strings and headers of each endpoint delay nobody',
  async () => {
    const { ids, read } = await setUp();
    const all: Measured[] = [];
    for (const { name, endpoint } of endpoints) {
      if (endpoint.method !== 'GET') continue;
      const role = leastRole(endpoint);
      const path = pathOf(endpoint, { params: paramsOf(endpoint, ids) });
      for (const field of fieldsOf(endpoint)) {
        const paths = longTexts.map((text) => `${path}?${field}=${text}`);
        const cost = await read(role, paths);
        all.push({ endpoint: name, role, what: field, bytes: paths.join('').length, ...cost });
      }
    }
    for (const [what, headers] of Object.entries(longHeaders)) {
      const cost = await read('guest', ['/api/projects'], headers);
      const bytes = JSON.stringify(headers).length;
      all.push({ endpoint: 'projects.list', role: 'guest', what, bytes, ...cost });
    }
    stdout.write(`${shown(all, {})}\n`);
    expect(all.filter(({ status }) => status >= 500 || status === 0)).toEqual([]);
    expect(wrongOf(all)).toEqual([]);
  },
  testTimeMs,
);
