// Reads everything that somebody can read, and looks for the names of hidden things.

import { expect } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { endpoints } from '#shared/api/index.ts';
import { members } from '#shared/api/members.ts';
import { pathOf } from '#shared/api/path.ts';
import type { Caller, TestApp } from './app.ts';
import type { Ids } from './every-id.ts';
import { mark, type HiddenProject } from './hidden-objects.ts';

/** Queries that a GET needs, or that search for what is hidden. */
const queries: Record<string, Record<string, string>[]> = {
  'tasks.lines': [{ from: '1' }],
  'tasks.search': [{ q: 'e' }],
  'tasks.results': [{}],
  'schedules.calendar': [
    { from: '2020-01-01T00:00:00.000Z', to: '2020-01-08T00:00:00.000Z' },
    { from: '2999-01-01T00:00:00.000Z', to: '2999-01-08T00:00:00.000Z' },
  ],
};

const searches = (endpoint: Endpoint): Record<string, string>[] => {
  const { shape = {} } = endpoint.query as unknown as { shape?: object };
  return 'q' in shape ? [{ q: mark }] : [];
};

const reads = endpoints.filter(
  ({ name, endpoint }) =>
    endpoint.method === 'GET' &&
    !endpoint.webhook &&
    endpoint.permission !== 'public' &&
    endpoint.permission !== 'admin' &&
    // They ask a runner, which nobody is here.
    !['repositories.branchesOf', 'repositories.files', 'keptStates.list'].includes(name),
);

/** Everything that a caller is answered by all reads, by the address. */
export async function readAll(caller: Caller, idSets: Ids[]): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const { name, endpoint } of reads) {
    for (const ids of idSets) {
      const path = pathOf(endpoint, { params: ids });
      for (const query of [...(queries[name] ?? [{}]), ...searches(endpoint)]) {
        const url = `${path}?${new URLSearchParams(query).toString()}`;
        const { statusCode, body, headers } = await caller.raw({ method: 'GET', url });
        expect([url, statusCode < 500]).toEqual([url, true]);
        seen.set(`${name} ${url}`, `${body} ${JSON.stringify(headers)}`);
      }
    }
  }
  return seen;
}

/** The names of hidden things, by the addresses whose answers have them. */
export const namesIn = (seen: Map<string, string>): string[] =>
  [...seen].flatMap(([url, text]) => {
    const found = new Set(text.match(new RegExp(`${mark}\\w*`, 'g')));
    return found.size > 0 ? [`${url}: ${[...found].join(' ')}`] : [];
  });

/** Adds a member with a role of the project. */
export async function withRole(
  app: TestApp,
  { projectId }: HiddenProject,
  slug: string,
): Promise<Caller> {
  const one = await app.member(projectId, 'guest');
  const at = { params: { project_id: projectId, user_id: one.userId } };
  await app.admin.call(members.update, { ...at, body: { role: slug } });
  return one;
}
