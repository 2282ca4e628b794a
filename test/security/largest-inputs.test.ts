// Slow: sends hundreds of the largest bodies that endpoints take.
// Only on SQLite: its statements run on the thread of the event loop, which they hold there.
// Sends the largest inputs of each endpoint with a body to a server in a process of its own: none holds its
// event loop longer than 250 ms at a stretch, and none lets its memory grow by more than 200 MB.
// `MEASURED_VERSION` names the folder of another version that is measured instead.

import { env, stdout } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { takesBody } from '#shared/api/endpoint.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import {
  findEndpoint,
  leastRole,
  startMeasured,
  type Cost,
  type Ids,
  type MeasuredServer,
  type Role,
} from '../helpers/largest/measured-server.ts';
import { folder } from '../helpers/seed.ts';
import { enlargements, sampleOf } from '../helpers/largest/enlargements.ts';
import type { LargeInput } from '../helpers/largest/input.ts';
import { isDear, shown, wrongOf, type Measured } from '../helpers/largest/show-measured.ts';
import { before, largeInputs } from './largest-inputs.ts';

const testTimeMs = 1_800_000;
const bodyLimit = 12 * 1024 * 1024;
const usualValues = 50_000;

const checkout = env['MEASURED_VERSION'];

async function setUp(): Promise<MeasuredServer> {
  return startMeasured(await folder(), checkout, ({ stop }) => onTestFinished(stop));
}

interface MeasuredInput extends Pick<LargeInput, 'endpoint' | 'what'> {
  expected: number | null;
  status: number;
  error: string;
}

interface Sent {
  role: Role;
  named: NamedEndpoint;
  body: string;
  params?: Ids | undefined;
}

/** What was dear by chance, such as a collection of garbage, is not so again. */
async function measure(
  { send, beat }: MeasuredServer,
  { role, named, body, params }: Sent,
): Promise<Cost> {
  if (role === 'remote runner') await beat();
  const first = await send(role, named, body, params);
  if (!isDear(first) || checkout !== undefined) return first;
  const again = await send(role, named, body, params);
  return isDear(again) ? first : { ...again, status: first.status };
}

test(
  'the largest input of each endpoint delays nobody',
  async () => {
    let measured = await setUp();
    const all: Measured[] = [];
    const answers: MeasuredInput[] = [];
    for (const { endpoint, role, what, body, status, params } of largeInputs) {
      const text = JSON.stringify(body(measured.ids));
      const named = findEndpoint(endpoint);
      const cost = await measure(measured, { role, named, body: text, params });
      if (cost.status === 0) {
        await measured.server.end('SIGKILL');
        measured = await setUp();
      }
      all.push({ endpoint, role, what, bytes: text.length, ...cost });
      answers.push({ endpoint, what, expected: status, status: cost.status, error: cost.error });
    }
    stdout.write(`${shown(all, before)}\n`);
    expect(
      answers.filter(({ expected, status }) => expected !== null && status !== expected),
    ).toEqual([]);
    expect(wrongOf(all)).toEqual([]);
  },
  testTimeMs,
);

test(
  'a sample of each endpoint, enlarged in each way, delays nobody',
  async () => {
    const measured = await setUp();
    const all: Measured[] = [];
    for (const named of endpoints) {
      const { endpoint, name } = named;
      if (endpoint.method === 'GET' || !takesBody(endpoint)) continue;
      const size = {
        bytes: Math.min(endpoint.bodyLimit ?? bodyLimit, bodyLimit) - 200,
        values: Math.min(endpoint.mostValues ?? usualValues, 400_000),
      };
      const role = leastRole(endpoint);
      const costs: Measured[] = [];
      for (const [what, enlarge] of Object.entries(enlargements)) {
        const text = JSON.stringify(enlarge(sampleOf(name, measured.ids), size));
        const cost = await measure(measured, { role, named, body: text });
        costs.push({ endpoint: name, role, what, bytes: text.length, ...cost });
      }
      all.push(
        ...costs.toSorted((one, other) => other.stallMs - one.stallMs).slice(0, 1),
        ...costs.filter(isDear).slice(1),
      );
    }
    stdout.write(`${shown(all, before)}\n`);
    expect(wrongOf(all)).toEqual([]);
  },
  testTimeMs,
);
