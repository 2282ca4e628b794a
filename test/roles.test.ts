// The server checks the permission that an endpoint declares (permissions.test.ts), for everybody.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Method } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/path.ts';
import { endpoints } from '#shared/api/index.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { isOfRunner } from '#shared/permissions.ts';
import {
  allRights,
  builtInRights,
  isRight,
  type Right,
  rightNames,
  type Rights,
} from '#shared/rights.ts';
import { isNarrowed } from '../src/server/db/rights/object-rights.ts';
import { type Caller, testApp } from './helpers/app.ts';
import { appWithProject } from './helpers/app-with-project.ts';
import { everyId } from './helpers/every-id.ts';
import { runSeed } from './helpers/random.ts';
import { seedProject } from './helpers/seed.ts';

interface RoleReply {
  status: number;
  code: string | undefined;
}

/** Sends a request without a valid body, so that it changes nothing. */
async function askWithoutBody(caller: Caller, method: Method, url: string): Promise<RoleReply> {
  const answer = await caller.raw({ method, url, payload: ['not a body'] });
  const isError = answer.statusCode >= 400;
  return {
    status: answer.statusCode,
    code: isError ? answer.json<{ code: string }>().code : undefined,
  };
}

/** The right to see what a parameter of a path names; the samples are about a template. */
const seenBy: Record<string, Right> = {
  template: 'template.see',
  task: 'template.see',
  schedule: 'template.see',
  integration: 'template.see',
  workflow: 'workflow.see',
  run: 'workflow.see',
  view: 'view.see',
  key: 'key.see',
  repository: 'repository.see',
  inventory: 'inventory.see',
  environment: 'environment.see',
  execution_environment: 'execution_environment.see',
  // Only a task has had the host.
  host: 'template.see',
};

/** The refusal of an address that names what these rights do not let one see; null: it names nothing such. */
function hiddenBy(path: string, rights: Rights, isAllowed: boolean): string | null {
  const nouns = [...path.matchAll(/:(\w+?)(?:_id)?(?:\/|$)/g)].map(([, noun = '']) => noun);
  const hidden = nouns.find((noun) => seenBy[noun] && !rights.has(seenBy[noun]));
  // Workflows have them too, so that whoever sees those is told which right is missing, whatever the id.
  const isOfBoth = hidden === 'schedule' || hidden === 'integration';
  if (isOfBoth && !isAllowed && rights.has('workflow.see')) return null;
  return hidden ? `404 ${hidden === 'run' ? 'workflow_run' : hidden}.not_found` : null;
}

describe('what is asked for is what is checked', () => {
  test('nobody reaches anything that is not public', async () => {
    const app = await testApp();
    for (const { name, endpoint } of endpoints) {
      const url = endpoint.path.replace(/:\w+/g, '1');
      const { status, code } = await askWithoutBody(app.nobody, endpoint.method, url);
      const isRefused = endpoint.permission !== 'public';
      const refusal = isOfRunner(endpoint.permission) ? 'runner.credential' : 'session.required';
      const seen = [name, status === 401, code === refusal];
      expect(seen).toEqual([name, isRefused, isRefused]);
    }
  });

  test('nobody learns from a refusal whether the address was right', async () => {
    const app = await testApp();
    const { status } = await askWithoutBody(app.nobody, 'GET', '/api/project/none/keys');
    expect(status).toBe(401);
  });

  test('every endpoint of a project opens to exactly the roles that may', async () => {
    const app = await testApp();
    const ids = await everyId(app, app.admin);
    const projectId = Number(ids['project_id']);
    const stranger = await app.user('stranger');
    const other = await seedProject(await app.user('other-admin', { admin: true }), null);
    await app.ctx.db
      .insertInto('members')
      .values({ project_id: other.projectId, user_id: stranger.userId, role: 'owner' })
      .execute();
    const callers: [who: string, caller: Caller, rights: Rights | null][] = [
      ['guest', await app.member(projectId, 'guest'), builtInRights.guest],
      ['task_runner', await app.member(projectId, 'task_runner'), builtInRights.task_runner],
      ['manager', await app.member(projectId, 'manager'), builtInRights.manager],
      ['owner', await app.member(projectId, 'owner'), builtInRights.owner],
      ['administrator', await app.user('outside', { admin: true }), allRights],
      ['owner of another project', stranger, null],
    ];
    const ofRandom = fc.sample(fc.subarray(rightNames), { seed: runSeed, numRuns: 8 });
    for (const [index, chosen] of ofRandom.entries()) {
      const name = `Random ${index}`;
      const body = { name, rights: chosen };
      const { slug, rights } = await app.admin.call(projectRoles.create, {
        params: { project_id: projectId },
        body,
      });
      const one = await app.member(projectId, 'guest');
      await app.admin.call(members.update, {
        params: { project_id: projectId, user_id: one.userId },
        body: { role: slug },
      });
      callers.push([`${name} (${rights.join(', ')})`, one, new Set(rights)]);
    }
    const inside = endpoints.filter(({ endpoint }) => endpoint.path.includes(':project_id'));
    const seen: string[] = [];
    const wanted: string[] = [];
    for (const { name, endpoint } of inside) {
      const url = pathOf(endpoint, { params: ids });
      const { permission } = endpoint;
      for (const [who, caller, rights] of callers) {
        const isAllowed = rights !== null && (!isRight(permission) || rights.has(permission));
        const { status, code } = await askWithoutBody(caller, endpoint.method, url);
        const refused = rights === null ? '404 project.not_found' : '403 permission.denied';
        // A backup has everything, also what the role does not see.
        const isPartial = isAllowed && name === 'backups.read' && isNarrowed(rights, false);
        const hidden = isPartial
          ? '403 permission.restricted'
          : rights && hiddenBy(endpoint.path, rights, isAllowed);
        const isRefused = [401, 403, 404].includes(status);
        wanted.push(`${name} by ${who}: ${hidden ?? (isAllowed ? 'open' : refused)}`);
        seen.push(`${name} by ${who}: ${isRefused ? `${status} ${code}` : 'open'}`);
      }
    }
    expect(seen).toEqual(wanted);
    expect(seen.length).toBeGreaterThan(150);
  });

  test('a member who is removed is outside at once', async () => {
    const { app, seed, params } = await appWithProject(null);
    const owner = await app.member(seed.projectId, 'owner');
    expect((await owner.ask(projects.one, { params })).status).toBe(200);
    await app.ctx.db.deleteFrom('members').where('user_id', '=', owner.userId).execute();
    expect((await owner.ask(projects.one, { params })).status).toBe(404);
  });
});
