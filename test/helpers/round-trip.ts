// Makes round trips as a program does that manages a server by descriptions, such as a Terraform
// provider: with a token, without `Origin`, and with whole objects. It uses nothing of our
// contract, so that a change of the contract cannot change this program too.

import { expect } from 'vitest';
import type { TestApp } from './app.ts';

export type Json = Record<string, unknown>;

interface JsonReply {
  status: number;
  /** An object or a list; empty when the answer has no body. */
  json: Json;
}

export interface Program {
  ask: (method: string, path: string, body?: unknown) => Promise<JsonReply>;
  /** The reply of a request that succeeds; throws otherwise. */
  call: (method: string, path: string, body?: unknown) => Promise<Json>;
}

/** A program with a token of the administrator; its paths begin after `/api`. */
export async function bearerProgram(app: TestApp): Promise<Program> {
  const made = await app.admin.raw({ method: 'POST', url: '/api/user/tokens' });
  const { token } = JSON.parse(made.body) as { token: string };
  const caller = app.withToken(token);
  const ask: Program['ask'] = async (method, path, body) => {
    const answer = await caller.raw({
      method: method as 'GET',
      url: `/api${path}`,
      headers: {
        accept: 'application/json',
        'user-agent': 'Go-http-client/1.1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const isJson = /^[[{]/.test(answer.body);
    return { status: answer.statusCode, json: isJson ? (JSON.parse(answer.body) as Json) : {} };
  };
  return {
    ask,
    async call(method, path, body) {
      const { status, json } = await ask(method, path, body);
      if (status < 300) return json;
      throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    },
  };
}

interface RoundTrip {
  /** The path of the list, which is also the path to add to: `/project/1/views`. */
  at: string;
  send: Json;
  /**
   * The fields of `send` that no reply has, such as secrets: `ssh.private_key`, `secrets.*.secret`
   * for a field of every entry of a list.
   */
  writeOnly?: string[];
  /** The fields that change, of the object as it was read. */
  change: Json;
  /**
   * The fields that follow from the changed ones, such as another form of them or the next due time
   * of a schedule. They are not written back with the change.
   */
  follows?: string[];
  /** Fields that a change needs although no reply has them. */
  also?: Json;
}

/**
 * Creates an object, reads it, compares each field sent with the field read, finds nothing to change,
 * writes the object back as it was read, changes a field of it and compares, and deletes it.
 * Returns the object as it was read after its creation.
 */
export async function expectRoundTrip(program: Program, trip: RoundTrip): Promise<Json> {
  const { at, send, writeOnly = [], change, follows = [], also = {} } = trip;
  const made = await program.call('POST', at, send);
  const path = `${at}/${await idOf(program, at, send, made)}`;
  const first = await program.call('GET', path);
  expectSent(send, first, writeOnly);
  if ('id' in made) expectSent(send, made, writeOnly);
  expect(await program.call('GET', path)).toEqual(first);

  await program.call('PUT', path, { ...first, ...also });
  expect(await program.call('GET', path)).toEqual(first);

  await program.call('PUT', path, { ...without(first, follows), ...change, ...also });
  const changed = await program.call('GET', path);
  expectSent(change, changed, writeOnly);
  const others = [...Object.keys(change), ...follows];
  expect(without(changed, others)).toEqual(without(first, others));
  await program.call('PUT', path, { ...changed, ...also });
  expect(await program.call('GET', path)).toEqual(changed);

  await program.call('DELETE', path);
  expect((await program.ask('GET', path)).status).toBe(404);
  return first;
}

/**
 * The id of what was just made. Some calls of the older API answered nothing, so clients look in
 * the list.
 */
async function idOf(program: Program, at: string, send: Json, made: Json): Promise<number> {
  if ('id' in made) return Number(made['id']);
  const list = (await program.call('GET', at)) as unknown as Json[];
  return Number(list.find(({ name }) => name === send['name'])?.['id']);
}

/** Expects that each field that was sent was read with the same value. */
function expectSent(sent: Json, read: Json, writeOnly: string[]): void {
  const differences = differencesOf(sent, read, '').filter(
    ({ path }) => !writeOnly.some((one) => isWithin(path, one)),
  );
  expect(differences).toEqual([]);
}

interface Difference {
  path: string;
  sent: unknown;
  read: unknown;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The fields of `sent` that `read` does not have, or has with another value. */
function differencesOf(sent: unknown, read: unknown, path: string): Difference[] {
  const isWhole = Array.isArray(sent) && (!Array.isArray(read) || sent.length !== read.length);
  if (isWhole || !isObject(sent) || !isObject(read)) {
    return Object.is(sent, read) ? [] : [{ path, sent, read }];
  }
  return Object.entries(sent).flatMap(([name, value]) =>
    differencesOf(value, read[name], path === '' ? name : `${path}.${name}`),
  );
}

/** Whether a path such as `secrets.0.secret` is at or below one such as `secrets.*.secret`. */
function isWithin(path: string, pattern: string): boolean {
  const parts = path.split('.');
  return pattern.split('.').every((one, index) => one === '*' || one === parts[index]);
}

const without = (thing: Json, names: string[]): Json =>
  Object.fromEntries(Object.entries(thing).filter(([name]) => !names.includes(name)));
