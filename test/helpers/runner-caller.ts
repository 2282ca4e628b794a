// Remote runners whose requests the test sends itself.

import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'jose';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { runners } from '#shared/api/runners.ts';
import type { Body } from './samples.ts';
import type { Caller, TestApp } from './app.ts';

/** Nobody has the private half of this key. */
export const publicKey = {
  kty: 'OKP' as const,
  crv: 'X25519' as const,
  x: 'gQA2vR-56O1UkyrFcS3yv5v2SQT7x8L0HPiEYETCO18',
};

const process = { version: '1', max_parallel_tasks: 1 };

/** Registers a runner; returns its id and a caller with its credential. */
export async function enteredRunner({
  admin,
  nobody,
  withToken,
}: TestApp): Promise<Caller & { runnerId: number }> {
  const { id, token } = await admin.call(runners.create, { body: { name: 'Entered' } });
  const body = { ...process, token, public_key: publicKey };
  const { credential } = await nobody.call(runnerApiEndpoints.register, { body });
  return { ...withToken(credential), runnerId: id };
}

/** Registers a runner that can open what is sealed for it. */
export async function enterWithKey({ admin, nobody }: TestApp) {
  const { id, token } = await admin.call(runners.create, { body: { name: 'Entered' } });
  const pair = generateKeyPairSync('x25519');
  const own = pair.publicKey.export({ format: 'jwk' }) as typeof publicKey;
  const body = { ...process, token, public_key: own };
  const { credential } = await nobody.call(runnerApiEndpoints.register, { body });
  return { credential, runnerId: id, privateKey: pair.privateKey.export({ format: 'jwk' }) as JWK };
}

/** Gives the runner a task, under the lease that the samples name. */
export async function giveTask({ ctx }: TestApp, runnerId: number, taskId: number): Promise<void> {
  await ctx.db
    .updateTable('tasks')
    .set({ runner_id: runnerId, status: 'running', lease: 1 })
    .where('id', '=', taskId)
    .execute();
}

/** Valid bodies of the requests about runners and of runners. */
export const runnerSamples: Record<string, Body> = {
  'runners.create': { name: 'Far away' },
  'runners.update': { draining: true },
  'runners.switch': { active: false },
  'projectRunners.create': { name: 'Of a project', tags: ['dmz'], max_parallel_tasks: 2 },
  'projectRunners.update': { name: 'Other', draining: false, tags: [], max_parallel_tasks: 1 },
  'projectRunners.switch': { active: true },
  'runnerApi.register': { ...process, token: 'sbr_of_nobody', public_key: publicKey },
  'runnerApi.poll': {
    ...process,
    session: 'one',
    is_new: true,
    load: 0.5,
    held: [{ task_id: 1, lease: 1, stop: 'none' }],
    is_leaving: false,
    wait: 0,
  },
  'runnerApi.filterExisting': { mirrors: ['0123456789abcdef'], projects: [1], homes: [1] },
  'runnerApi.reportInspection': { seen: { kind: 'failed', reason: 'Nothing was seen.' } },
  'runnerApi.delegate': { lease: 1 },
  'runnerApi.task': { lease: 1 },
  'runnerApi.secrets': { lease: 1 },
  'runnerApi.report': { lease: 1, report: { kind: 'step', step: 1, commands: ['a'] } },
  'runnerApi.log': {
    lease: 1,
    from: 1,
    lines: [{ time: '2026-01-01T00:00:00.000Z', outputs: ['a', 'b'] }],
    spool_offset: 2,
  },
};
