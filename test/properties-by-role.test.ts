// Slow: every endpoint, by everybody who may ask it.
// Whoever sends whatever to any endpoint, the server does not crash, shows nothing of its
// internals, and delays no other request; and no reply contains anything of a project of which the
// caller is no member. SIGNALBOX_PROPERTY_RUNS sets how many requests each endpoint gets.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import { pathOf } from '#shared/api/path.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { type Caller, testApp, type TestApp } from './helpers/app.ts';
import { everyId } from './helpers/every-id.ts';
import { canary, plantForeignCanary } from './helpers/foreign-canary.ts';
import { checkError, send } from './helpers/odd-answers.ts';
import { requests, type Sent } from './helpers/odd-requests.ts';
import { fixedSeed } from './helpers/random.ts';
import { seedProject } from './helpers/seed.ts';
import { watchStalls } from './helpers/stall-watch.ts';

const runs = Number(process.env['SIGNALBOX_PROPERTY_RUNS'] ?? 12);

/** The milliseconds for which one request may delay all others. */
const longestStall = 250;

const ofToken = (scope: 'read' | 'run' | 'all') => async (app: TestApp) => {
  const { token } = await app.admin.call(tokens.create, { body: newToken.parse({ scope }) });
  return app.withToken(token);
};

type Find = (app: TestApp, projectId: number) => Promise<Caller>;

const people: [who: string, find: Find][] = [
  ['an owner', (app, id) => app.member(id, 'owner')],
  ['a manager', (app, id) => app.member(id, 'manager')],
  ['a task runner', (app, id) => app.member(id, 'task_runner')],
  ['a guest', (app, id) => app.member(id, 'guest')],
  ['a user of other projects', (app) => app.user('stranger')],
  ['nobody', async (app) => app.nobody],
];

// The tokens are the administrator's, who sees all projects.
const ofAdministrator: [who: string, find: Find][] = [
  ['a token that reads', ofToken('read')],
  ['a token that runs', ofToken('run')],
  ['a token that does all', ofToken('all')],
];

// These endpoints would end the session or the membership of the caller.
const ends = ['session.signOut', 'session.revoke', 'members.leave'];
// And these would remove what the administrator's later requests need.
const removes = ['members.remove', 'projects.remove'];

/** Sends odd requests to endpoints and checks each reply; returns the statuses. */
async function ask(
  caller: Caller,
  asked: [NamedEndpoint, fc.Arbitrary<Sent>][],
  hidden: string | null,
): Promise<number[]> {
  const stalls = watchStalls();
  const statuses = new Set<number>();
  for (const [named, sent] of asked) {
    const holds = fc.asyncProperty(sent, async (one) => {
      stalls.longest();
      const { statusCode: status, body: text, headers } = await send(caller, named, one);
      const longest = stalls.longest();
      statuses.add(status);
      expect(status).toBeLessThan(500);
      expect(longest).toBeLessThan(longestStall);
      if (status >= 400) checkError(status, text);
      const isShown = hidden !== null && `${text} ${JSON.stringify(headers)}`.includes(hidden);
      expect(isShown).toBe(false);
    });
    try {
      await fc.assert(holds, { numRuns: runs, seed: fixedSeed, endOnFailure: true });
    } catch (error) {
      const message = (error as Error).message.slice(0, 3000);
      throw new Error(`${named.name} (seed ${fixedSeed}): ${message}`, { cause: error });
    }
  }
  stalls.stop();
  return [...statuses];
}

/** Some requests reached the check of the body, or all were refused for lack of a session. */
const isChecked = (statuses: number[]): boolean => [400, 401].some((one) => statuses.includes(one));

test.each(people)('every endpoint answers %s, whatever it is sent', async (_who, find) => {
  const app = await testApp();
  const own = await everyId(app, app.admin);
  const { ids: foreign } = await plantForeignCanary(app);
  const projectId = Number(own['project_id']);
  const spare = { project_id: (await seedProject(app.admin, null)).projectId };
  const mixed = { ...foreign, project_id: projectId };
  const caller = await find(app, projectId);
  const asked = endpoints
    .filter(({ name }) => !ends.includes(name))
    .map((named): [NamedEndpoint, fc.Arbitrary<Sent>] => {
      // The address of a webhook is its secret, so anybody who knows it may send.
      const known = named.noun === 'webhooks' ? { alias: own['alias'] ?? '' } : {};
      const gone = named.name === 'projects.remove' ? spare : {};
      const anyIds = [own, foreign, mixed].map((ids) =>
        requests(named, { ...ids, ...known, ...(ids === own && gone) }),
      );
      return [named, fc.oneof(...anyIds)];
    });
  expect(isChecked(await ask(caller, asked, canary))).toBe(true);
});

test.each(ofAdministrator)('every endpoint answers %s, whatever it is sent', async (_who, find) => {
  const app = await testApp();
  const ids = await everyId(app, app.admin);
  const caller = await find(app, Number(ids['project_id']));
  const asked = endpoints
    .filter(({ name }) => ![...ends, ...removes].includes(name))
    .map((named): [NamedEndpoint, fc.Arbitrary<Sent>] => [named, requests(named, ids)]);
  expect(isChecked(await ask(caller, asked, null))).toBe(true);
});

test('whoever may see the other project finds its texts in every endpoint that answers them', async () => {
  const app = await testApp();
  const { ids: foreign, names } = await plantForeignCanary(app);
  expect(names.length).toBeGreaterThan(10);
  const seen: string[] = [];
  for (const { name, endpoint } of endpoints) {
    if (endpoint.method !== 'GET' || !endpoint.path.includes(':project_id')) continue;
    const { body } = await app.admin.raw({ url: pathOf(endpoint, { params: foreign }) });
    if (body.includes(canary)) seen.push(name);
  }
  expect(seen.length).toBeGreaterThan(30);
});
