// Remote runners that run no tasks: each registers and polls as a real one does, over its own connection.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import type { RunnerRegistration } from '#shared/api/runners.ts';
import { type CallServer, createServerClient } from '../../src/runner/client/server-client.ts';
import { HttpTaskQueue } from '../../src/runner/client/http-task-queue.ts';
import { createLog } from '../../src/node/log/log.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import type { Installation } from './installation.ts';

/** How many runners may register from one address per minute. */
const ofAddress = 10;

/** Registers runners of the whole installation; returns an API client for each. */
export async function registerRunners(
  installation: Installation,
  count: number,
): Promise<CallServer[]> {
  const clients: CallServer[] = [];
  for (let number = 0; number < count; number += 1) {
    clients.push(await register(installation, number));
  }
  return clients;
}

async function register({ server, call }: Installation, number: number): Promise<CallServer> {
  const name = `Runner ${number}`;
  const { token } = await call<RunnerRegistration>('POST', '/api/runners', { name, tags: [] });
  const { publicKey } = generateKeyPairSync('x25519');
  const key = publicKey.export({ format: 'jwk' });
  const body = { token, public_key: key, version: '1', max_parallel_tasks: 1 };
  // On Linux all of 127.0.0.0/8 are addresses of this machine.
  const from = `127.0.1.${1 + Math.floor(number / ofAddress)}`;
  const address = `${server.address}${runnerApiEndpoints.register.path}`;
  const { credential } = await post<{ credential: string }>(address, from, body);
  return createServerClient({ url: server.address }, credential);
}

async function post<Reply>(address: string, localAddress: string, body: object): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const sent = request(address, { method: 'POST', localAddress, headers });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const reply = await text(response);
  if (response.statusCode !== 201) throw new Error(reply);
  return JSON.parse(reply) as Reply;
}

const ansible = execFileSync('ansible', ['--version'], { encoding: 'utf8' });
const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
const log = createLog('error');

/** The task queue of a runner, not started. `dataDir` is a folder of this machine. */
export function queueOf(ask: CallServer, dataDir: string): HttpTaskQueue {
  return new HttpTaskQueue({
    ask,
    config: { ...loadConfig({}), dataDir },
    log,
    ansibleVersion: () => ansible,
    containerEngine: () => '',
    gitVersion: () => git,
    aside: () => null,
    onInspection: () => Promise.resolve(),
    onServerTime: () => undefined,
    onRejected: (words) => {
      throw new Error(words);
    },
  });
}
