// Reads and changes any resource through the whole server.

import { expect } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints, mergeOf } from '#shared/api/index.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { type Caller, type TestApp, testApp } from './app.ts';
import { everyId, type Ids } from './every-id.ts';
import { samples } from './samples.ts';

export type Json = Record<string, unknown>;

/** Makes one of each thing, with values in its optional fields. */
export async function everything(): Promise<{ app: TestApp; ids: Ids }> {
  const app = await testApp();
  const ids = await everyId(app, app.admin);
  for (const { name, endpoint } of endpoints) {
    const body = samples(ids)[name];
    if (!mergeOf(endpoint) || !body) continue;
    const url = pathOf(endpoint, { params: ids });
    const { statusCode, body: text } = await app.admin.raw({ method: 'PUT', url, payload: body });
    expect([name, statusCode, text]).toEqual([name, 204, '']);
  }
  return { app, ids };
}

export async function read(caller: Caller, url: string): Promise<Json> {
  const { last_seen: _seen, load: _load, ...shown } = (await caller.raw({ url })).json<Json>();
  return shown;
}

/** Sends a change; returns the status, and for a refusal the code and its fields. */
export async function change(
  caller: Caller,
  [method, url]: ['PUT' | 'PATCH', string],
  payload: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await caller.raw({
    method,
    url,
    payload: JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const { code, fields = [] } = (answer.body ? answer.json() : {}) as Partial<ErrorBody>;
  return { status: answer.statusCode, code, fields: fields.map((one) => [one.path, one.code]) };
}

export const done = { status: 204, code: undefined, fields: [] };
