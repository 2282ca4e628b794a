// Also on PostgreSQL: it refuses other values than SQLite does.
// Slow: a dozen requests to every endpoint.
// Whatever is sent to any endpoint, the server never crashes and always says what is wrong.
// SIGNALBOX_PROPERTY_RUNS sets how many requests each endpoint gets, SIGNALBOX_TEST_SEED which
// ones.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { isOfRunner } from '#shared/permissions.ts';
import { ownEngine, testApp } from './helpers/app.ts';
import { everyId } from './helpers/every-id.ts';
import { checkError, send } from './helpers/odd-answers.ts';
import { requests } from './helpers/odd-requests.ts';
import { enteredRunner, giveTask } from './helpers/runner-caller.ts';
import { samples } from './helpers/samples.ts';
import { seedProject } from './helpers/seed.ts';
import { fixedSeed } from './helpers/random.ts';

const runs = Number(process.env['SIGNALBOX_PROPERTY_RUNS'] ?? 12);

test('every endpoint answers whatever it is sent', async () => {
  const app = await testApp();
  const ids = await everyId(app, app.admin);
  // These endpoints remove things that later requests need, so they get their own.
  const own: Record<string, Record<string, number>> = {
    'users.remove': { user_id: (await app.user('short-lived')).userId },
    'projects.remove': { project_id: (await seedProject(app.admin, null)).projectId },
  };
  // The runner holds the task, so that more than the lease is checked.
  const runner = await enteredRunner(app);
  await giveTask(app, runner.runnerId, Number(ids['task_id']));
  const statuses = new Map<number, number>();
  // These endpoints would end the session of the administrator.
  const ends = ['session.signOut', 'session.revoke'];
  for (const named of endpoints.filter(({ name }) => !ends.includes(name))) {
    const holds = fc.asyncProperty(
      requests(named, { ...ids, ...own[named.name] }),
      async (sent) => {
        const caller = isOfRunner(named.endpoint.permission) ? runner : app.admin;
        const answer = await send(caller, named, sent);
        const { statusCode: status, body: text } = answer;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status).toBeLessThan(500);
        // The text of a log without lines is an empty file.
        const isEmptyLog = named.name === 'tasks.text' && status === 200;
        const isEmpty = [204, 302].includes(status);
        expect(isEmptyLog || (text === '') === isEmpty).toBe(true);
        if (status >= 400) checkError(status, text);
      },
    );
    try {
      await fc.assert(holds, { numRuns: runs, seed: fixedSeed, endOnFailure: runs > 100 });
    } catch (error) {
      const message = (error as Error).message.slice(0, 3000);
      throw new Error(`${named.name} (${ownEngine}, seed ${fixedSeed}): ${message}`, {
        cause: error,
      });
    }
  }
  // The requests reach all depths: some work, some are invalid, some name nothing that exists,
  // and some conflict.
  for (const status of [200, 201, 204, 400, 404, 409, 415]) {
    expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
  }
}, 600_000);

test('every body that is not changed is accepted', async () => {
  const app = await testApp();
  const ids = await everyId(app, app.admin);
  for (const { name, endpoint } of endpoints) {
    const body = samples(ids)[name];
    expect([name, endpoint.body.safeParse(body ?? {}).error]).toEqual([name, undefined]);
  }
});
