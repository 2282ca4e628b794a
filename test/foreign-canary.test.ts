// Whatever a member of one project sends, no reply contains anything of other people's projects.
// SIGNALBOX_PROPERTY_RUNS and SIGNALBOX_TEST_SEED work as in properties.test.ts.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import { testApp, type Caller } from './helpers/app.ts';
import { everyId } from './helpers/every-id.ts';
import { canary, plantForeignCanary } from './helpers/foreign-canary.ts';
import { send } from './helpers/odd-answers.ts';
import { requests, type Sent } from './helpers/odd-requests.ts';
import { seedProject } from './helpers/seed.ts';
import { fixedSeed } from './helpers/random.ts';

const runs = Number(process.env['SIGNALBOX_PROPERTY_RUNS'] ?? 12);

// These endpoints would end the session or the membership of the caller.
const ends = ['session.signOut', 'session.revoke', 'members.leave'];

async function replyTo(caller: Caller, named: NamedEndpoint, sent: Sent): Promise<string> {
  const { statusCode, body, headers } = await send(caller, named, sent);
  expect(statusCode).toBeLessThan(500);
  return `${body} ${JSON.stringify(headers)}`;
}

test('no reply to a member holds anything of a project of others', async () => {
  const app = await testApp();
  const own = await everyId(app, app.admin);
  const { ids: foreign, names } = await plantForeignCanary(app);
  expect(names.length).toBeGreaterThan(10);
  // The owner of the other project does see the canary, in every endpoint that can answer it.
  const seen: string[] = [];
  for (const { name, endpoint } of endpoints) {
    if (endpoint.method !== 'GET' || !endpoint.path.includes(':project_id')) continue;
    const { body } = await app.admin.raw({ url: pathOf(endpoint, { params: foreign }) });
    if (body.includes(canary)) seen.push(name);
  }
  expect(seen.length).toBeGreaterThan(30);

  const projectId = Number(own['project_id']);
  const spare = { project_id: (await seedProject(app.admin, null)).projectId };
  const mixed = { ...foreign, project_id: projectId };
  for (const role of ['owner', 'guest'] as const) {
    const caller = await app.member(projectId, role);
    for (const named of endpoints.filter(({ name }) => !ends.includes(name))) {
      // The address of a webhook is its secret, so anybody who knows it may send.
      const known = named.noun === 'webhooks' ? { alias: own['alias'] ?? '' } : {};
      const gone = named.name === 'projects.remove' ? spare : {};
      const anyIds = [own, foreign, mixed].map((ids) =>
        requests(named, { ...ids, ...known, ...(ids === own && gone) }),
      );
      const holds = fc.asyncProperty(fc.oneof(...anyIds), async (sent) => {
        expect(await replyTo(caller, named, sent)).not.toContain(canary);
      });
      try {
        await fc.assert(holds, { numRuns: runs, seed: fixedSeed, endOnFailure: true });
      } catch (error) {
        const message = (error as Error).message.slice(0, 3000);
        throw new Error(`${named.name} by ${role} (seed ${fixedSeed}): ${message}`, {
          cause: error,
        });
      }
    }
  }
}, 600_000);
