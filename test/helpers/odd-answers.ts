// Checks what must hold for the answer to any request.

import { expect } from 'vitest';
import type { NamedEndpoint } from '#shared/api/index.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { errors } from '#shared/catalogue/errors.ts';
import { fieldErrors } from '#shared/catalogue/field-errors.ts';
import type { Caller } from './app.ts';
import { type Sent, urlOf } from './odd-requests.ts';

export async function send(caller: Caller, { endpoint }: NamedEndpoint, sent: Sent) {
  return caller.raw({
    method: endpoint.method,
    url: urlOf(endpoint.path, sent),
    headers: {
      ...(sent.payload !== undefined && { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(sent.payload !== undefined && { payload: sent.payload }),
  });
}

/** An error is complete, and says nothing about the internals of the server. */
export function checkError(status: number, text: string): void {
  const body = JSON.parse(text) as ErrorBody;
  expect(errors.has(body.code)).toBe(true);
  expect(body.error).toMatch(/\S/);
  expect(body.request_id).toMatch(/^[\da-f-]{36}$/);
  expect(body.params).toBeTypeOf('object');
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|SQLITE_|src\/server/);
  if (body.code !== 'request.invalid') return;
  expect(status).toBe(400);
  expect(body.fields?.length).toBeGreaterThan(0);
  for (const field of body.fields ?? []) {
    expect([field.code, fieldErrors.has(field.code)]).toEqual([field.code, true]);
    expect(field.message).toMatch(/^[^{]+$/);
  }
}
