// What a thousand remote runners without tasks cost their server. Each is the part of a real runner
// that waits for tasks; what would run them is absent.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestWait, runnerDesk } from '#shared/api/runner-desk.ts';
import type { RunnerRegistration } from '#shared/api/runners.ts';
import { createAsk } from '../../src/runner/client/ask.ts';
import { RemoteQueue } from '../../src/runner/client/queue.ts';
import { createLog } from '../../src/runner/system/log.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { install, type Installation, memoryOf, shareOfCore } from './installation.ts';
import { inTurn, type Row } from './rows.ts';

const runners = 1000;
const rounds = 3;
const measuredMs = 15_000;
/** As many runners as may register from one address in a minute. */
const ofAddress = 10;

export async function measureRemoteRunners(): Promise<Row[]> {
  const installation = await install();
  const { server } = installation;
  try {
    const credentials: string[] = [];
    for (let number = 0; number < runners; number += 1) {
      credentials.push(await register(installation, number));
    }
    const without = await memoryOf(server.pid);
    const memory: number[] = [];
    const share = (): Promise<number> => shareOfCore(server.pid, () => sleep(measuredMs));
    const shareWith = async (): Promise<number> => {
      const queues = await startAll(installation, credentials);
      const used = await share();
      memory.push(((await memoryOf(server.pid)) - without) / runners);
      await Promise.all(queues.map((queue) => queue.close()));
      return used;
    };
    const { ours, theirs } = await inTurn(rounds, shareWith, share);
    return rowsOf(ours, theirs, memory);
  } finally {
    await installation.end();
  }
}

function rowsOf(ours: number[], theirs: number[], memory: number[]): Row[] {
  const what = `${runners.toLocaleString('en')} remote runners that wait for tasks`;
  return [
    {
      what: `${what}: processor of the server`,
      unit: '% of a core',
      ours,
      baseline: { name: 'the same server without them', values: theirs },
      target: { atMost: 10 },
    },
    {
      what: `${what}: memory of the server for each`,
      unit: 'MB',
      ours: memory,
      target: {},
    },
  ];
}

/** Makes a runner, which registers; answers its credential. */
async function register({ server, call }: Installation, number: number): Promise<string> {
  const name = `Runner ${number}`;
  const { token } = await call<RunnerRegistration>('POST', '/api/runners', { name });
  const { publicKey } = generateKeyPairSync('x25519');
  const key = publicKey.export({ format: 'jwk' });
  const body = { token, public_key: key, version: '1', max_parallel_tasks: 1 };
  // Linux takes all of 127.0.0.0/8 as addresses of this machine.
  const from = `127.0.1.${1 + Math.floor(number / ofAddress)}`;
  const address = `${server.address}${runnerDesk.register.path}`;
  const { credential } = await post<{ credential: string }>(address, from, body);
  return credential;
}

function post<Reply>(address: string, localAddress: string, body: object): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(address, { method: 'POST', localAddress, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.once('end', () => {
        if (answer.statusCode === 201) resolve(JSON.parse(text) as Reply);
        else reject(new Error(text));
      });
    });
    asked.once('error', reject);
    asked.end(JSON.stringify(body));
  });
}

/** Starts all of them, spread over the time of one wait, as they are when they started by chance. */
async function startAll(installation: Installation, credentials: string[]): Promise<RemoteQueue[]> {
  const ask = (credential: string) => createAsk({ url: installation.server.address }, credential);
  const queues = credentials.map((credential) => queueOf(ask(credential), installation.folder));
  const begun = performance.now();
  const starts = queues.map(async (queue, index) => {
    await sleep((index / queues.length) * longestWait * 1000);
    await queue.start();
  });
  await Promise.all(starts);
  // All have begun to wait, and some of them again.
  await sleep(Math.max(0, begun + 3 * longestWait * 1000 - performance.now()));
  return queues;
}

const ansible = execFileSync('ansible', ['--version'], { encoding: 'utf8' });
const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
const log = createLog('error');

function queueOf(ask: ReturnType<typeof createAsk>, dataDir: string): RemoteQueue {
  return new RemoteQueue({
    ask,
    config: { ...loadConfig({}), dataDir },
    log,
    ansibleVersion: () => ansible,
    gitVersion: () => git,
    onLook: () => Promise.resolve(),
    onTime: () => undefined,
    onShutOut: (words) => {
      throw new Error(words);
    },
  });
}
