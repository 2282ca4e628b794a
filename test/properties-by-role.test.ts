// Slow: every endpoint, by everybody who may ask it.
// Whoever sends whatever to any endpoint, the server does not crash, shows nothing of its
// internals, and delays no other request. SIGNALBOX_PROPERTY_RUNS sets how many requests each
// endpoint gets.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { type Caller, testApp, type TestApp } from './helpers/app.ts';
import { everyId } from './helpers/every-id.ts';
import { checkError, send } from './helpers/odd-answers.ts';
import { requests } from './helpers/odd-requests.ts';
import { fixedSeed } from './helpers/random.ts';
import { watchStalls } from './helpers/stall-watch.ts';

const runs = Number(process.env['SIGNALBOX_PROPERTY_RUNS'] ?? 8);

/** The milliseconds for which one request may delay all others. */
const longestStall = 250;

const ofToken = (scope: 'read' | 'run' | 'all') => async (app: TestApp) => {
  const { token } = await app.admin.call(tokens.create, { body: newToken.parse({ scope }) });
  return app.withToken(token);
};

const callers: [who: string, find: (app: TestApp, projectId: number) => Promise<Caller>][] = [
  ['an owner', (app, id) => app.member(id, 'owner')],
  ['a manager', (app, id) => app.member(id, 'manager')],
  ['a task runner', (app, id) => app.member(id, 'task_runner')],
  ['a guest', (app, id) => app.member(id, 'guest')],
  ['a user of other projects', (app) => app.user('stranger')],
  ['nobody', async (app) => app.nobody],
  ['a token that reads', ofToken('read')],
  ['a token that runs', ofToken('run')],
  ['a token that does all', ofToken('all')],
];

// These endpoints would end the session of the caller or change the caller's rights.
const ends = ['session.signOut', 'session.revoke', 'members.remove', 'projects.remove'];

test.each(callers)('every endpoint answers %s, whatever it is sent', async (_who, find) => {
  const app = await testApp();
  const ids = await everyId(app, app.admin);
  const caller = await find(app, Number(ids['project_id']));
  const stalls = watchStalls();
  const statuses = new Set<number>();
  for (const named of endpoints.filter(({ name }) => !ends.includes(name))) {
    const holds = fc.asyncProperty(requests(named, ids), async (sent) => {
      stalls.longest();
      const { statusCode: status, body: text } = await send(caller, named, sent);
      const longest = stalls.longest();
      statuses.add(status);
      expect(status).toBeLessThan(500);
      expect(longest).toBeLessThan(longestStall);
      if (status >= 400) checkError(status, text);
    });
    try {
      await fc.assert(holds, { numRuns: runs, seed: fixedSeed, endOnFailure: true });
    } catch (error) {
      const message = (error as Error).message.slice(0, 3000);
      throw new Error(`${named.name} (seed ${fixedSeed}): ${message}`, { cause: error });
    }
  }
  stalls.stop();
  // Some requests reached the check of the body, or all were refused for lack of a session.
  expect([400, 401].some((status) => statuses.has(status))).toBe(true);
});
