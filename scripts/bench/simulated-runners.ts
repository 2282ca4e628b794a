// Remote runners without what would run their tasks: each registers and asks for news as a real one does,
// over a connection of its own.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import type { RunnerRegistration } from '#shared/api/runners.ts';
import { type CallServer, createServerClient } from '../../src/runner/client/server-client.ts';
import { HttpTaskQueue } from '../../src/runner/client/http-task-queue.ts';
import { createLog } from '../../src/node/log/log.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import type { Installation } from './installation.ts';

/** As many runners as may register from one address in a minute. */
const ofAddress = 10;

/** Registers runners of the whole installation; returns what each sends its requests with. */
export async function registerRunners(
  installation: Installation,
  count: number,
  tags: string[] = [],
): Promise<CallServer[]> {
  const asks: CallServer[] = [];
  for (let number = 0; number < count; number += 1) {
    asks.push(await register(installation, number, tags));
  }
  return asks;
}

async function register(
  { server, call }: Installation,
  number: number,
  tags: string[],
): Promise<CallServer> {
  const name = `Runner ${number}`;
  const { token } = await call<RunnerRegistration>('POST', '/api/runners', { name, tags });
  const { publicKey } = generateKeyPairSync('x25519');
  const key = publicKey.export({ format: 'jwk' });
  const body = { token, public_key: key, version: '1', max_parallel_tasks: 1 };
  // Linux takes all of 127.0.0.0/8 as addresses of this machine.
  const from = `127.0.1.${1 + Math.floor(number / ofAddress)}`;
  const address = `${server.address}${runnerApiEndpoints.register.path}`;
  const { credential } = await post<{ credential: string }>(address, from, body);
  return createServerClient({ url: server.address }, credential);
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

const ansible = execFileSync('ansible', ['--version'], { encoding: 'utf8' });
const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
const log = createLog('error');

/** What a runner asks for news with; not started. `dataDir` is a folder of this machine. */
export function queueOf(ask: CallServer, dataDir: string): HttpTaskQueue {
  return new HttpTaskQueue({
    ask,
    config: { ...loadConfig({}), dataDir },
    log,
    ansibleVersion: () => ansible,
    gitVersion: () => git,
    aside: () => null,
    onInspection: () => Promise.resolve(),
    onServerTime: () => undefined,
    onRejected: (words) => {
      throw new Error(words);
    },
  });
}
