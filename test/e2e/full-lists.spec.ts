// Before a release: hundreds of rows of everything are made and drawn.
// Every screen of the console builds few nodes on a server that has 300 of everything.

import { afterAll, expect, test } from 'vitest';
import { createLog } from '../../src/node/log/log.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { openContext } from '../../src/server/open-context.ts';
import type { Context } from '../../src/server/context/context.ts';
import { consoleOf } from '../helpers/console.ts';
import { consoleScreens } from '../helpers/console-screens.ts';
import { insertMany } from '../helpers/many/insert.ts';
import { firstHost, firstId } from '../helpers/many/rows.ts';
import { settle, watchRequests } from '../helpers/settle.ts';
import { startServer, type TestServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const many = 300;
const mostNodes = 3000;
/** A list of fewer rows is one that the data does not reach. */
const fewRows = 20;
const time = new Date().toISOString();
/** The most API tokens that a user may have. */
const mostTokens = 200;
const numbers = Array.from({ length: many }, (_, index) => index);

/** Makes what the rows of the lists of projects lack: sessions, rules and runners. */
async function fill(ctx: Context): Promise<void> {
  // One task in fifty is not finished.
  const share = { templates: many, tasks: 50 * many, events: many };
  await insertMany(ctx, { projects: 1, users: many, ...share, bigShare: share, things: many });
  const { db } = ctx;
  const { id: user_id } = await db
    .selectFrom('users')
    .select('id')
    .where('admin', '=', 1)
    .executeTakeFirstOrThrow();
  const session = {
    user_id,
    created: time,
    last_active: time,
    expires: '2999-01-01T00:00:00.000Z',
  };
  const from = { ip: '127.0.0.1', user_agent: 'A browser', provider: null, id_token: null };
  const rule = { source: 'any', claim: 'groups', project_id: null, role: null };
  const runner = { session: 'none', role: 'runner' as const, version: '1.0.0', remote: 1 as const };
  for (const number of numbers) {
    const name = `Number ${number}`;
    await db
      .insertInto('sessions')
      .values({ ...session, ...from, token_hash: `session ${number}` })
      .execute();
    await db
      .insertInto('group_rules')
      .values({ ...rule, pattern: name, position: number })
      .execute();
    const seen = { started: time, last_seen: time, max_parallel_tasks: 0 };
    await db
      .insertInto('runners')
      .values({ ...runner, ...seen, uid: `runner ${number}`, name })
      .execute();
  }
}

let server: TestServer | undefined;
afterAll(() => server?.stop());

/** A server whose database was filled while it was down. */
const console = consoleOf(async () => {
  const empty = await startServer({});
  await empty.end('SIGTERM');
  const config = { ...loadConfig({}), dataDir: empty.dataDir };
  const ctx = await openContext({ config, log: createLog('fatal') });
  await fill(ctx);
  await ctx.close();
  server = await startServer({ dataDir: empty.dataDir });
  return server;
});

/** Parts of screens that have a list of their own. */
const parts = [
  '/project/$projectId/integration/$integrationId?tab=deliveries',
  '/project/$projectId/alerts?tab=sent',
  '/project/$projectId/templates?page=3',
  '/project/$projectId/keys?page=3',
];

/** The screens that have no list of things of people. */
const withoutLists = [
  '/account',
  '/apps',
  '/overview',
  '/project/$projectId/integration/$integrationId',
  '/project/$projectId/settings',
  '/project/$projectId/tasks/$taskId',
  '/project/$projectId/workflow_runs/$runId',
  '/project/$projectId/workflows/$workflowId/edit',
  '/project/$projectId/workflows/new',
  '/project/new',
];

/** Frames around other screens, the screen of half a session, and the guide, which lists nothing. */
const others = [
  '/',
  '/project/$projectId',
  '/second-factor',
  '/auth/login',
  '/help',
  '/help/$page',
];

test('every screen with 300 rows has fewer than 3,000 nodes', async () => {
  const screens = (await consoleScreens()).filter((path) => !others.includes(path));
  const token = { scope: 'read', project_id: null, expires: null };
  // Nobody may have more of them.
  for (const number of numbers.slice(0, mostTokens)) {
    await console.call('POST', '/api/user/tokens', { ...token, name: `Number ${number}` });
  }
  const page = await console.enter();
  await watchRequests(page);
  const found: Record<string, { nodes: number; rows: number }> = {};
  for (const screen of [...screens, ...parts]) {
    // All things of the first project begin at the same id.
    const path = screen.replace('$host', firstHost).replace(/\$\w+/g, String(firstId));
    await page.goto(`${console.server.address}${path}`);
    await page.getByRole('heading').first().waitFor();
    const countRows = (): Promise<number> => page.getByRole('row').count();
    // On a busy machine a list may come after everything else has settled.
    if (!withoutLists.includes(screen)) await until(async () => (await countRows()) >= fewRows);
    await settle(page);
    const rows = await countRows();
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    found[screen] = { nodes, rows };
  }
  const heavy = Object.entries(found).filter(([, { nodes }]) => nodes >= mostNodes);
  expect(heavy).toEqual([]);
  // Screens of one thing, and lists that a server cannot fill.
  const short = Object.entries(found).filter(([, { rows }]) => rows < fewRows);
  expect(short.map(([screen]) => screen).sort()).toEqual(withoutLists);
});
