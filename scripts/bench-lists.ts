// `npm run bench:lists [-- --short] [-- --data FOLDER] [-- --calls 200] [-- --only tasks.]`:
// measures how fast every list of the contract answers with 200 projects, 20,000 templates,
// 1,000,000 tasks and 100,000 events, on SQLite: to administrators and members, in the largest
// project and in a small one, each page and filter. A folder given with `--data` keeps the data for
// the next time.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '../src/server/app.ts';
import { openContext } from '../src/server/open-context.ts';
import { loadConfig } from '../src/server/config/config.ts';
import type { Context } from '../src/server/context/context.ts';
import { createLog } from '../src/runner/system/log.ts';
import { addMember } from '../src/server/people/members/members.ts';
import { createUser } from '../src/server/people/users/users.ts';
import { listCalls, type ListCall } from '../test/helpers/many/list-calls.ts';
import { firstId, type Size } from '../test/helpers/many/rows.ts';
import { watch } from '../test/helpers/many/watch.ts';
import { serverPassword, startServer } from '../test/helpers/server.ts';
import { fill } from './bench/fill.ts';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    data: { type: 'string' },
    calls: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
  },
});
const scale = options.short ? 20 : 1;
const callsEach = options.short ? 20 : Number(options.calls);
const targets = { median: 30, p99: 100 };

const size: Size = {
  projects: 200 / scale,
  users: 500 / scale,
  templates: 20_000 / scale,
  tasks: 1_000_000 / scale,
  events: 100_000 / scale,
  bigShare: { templates: 2000 / scale, tasks: 100_000 / scale, events: 20_000 / scale },
  things: 20,
};
const projects = { big: firstId, small: firstId + Math.floor(size.projects * 0.6) };

/** Fills the data folder, and adds somebody who is no administrator. */
async function seed(ctx: Context): Promise<void> {
  const begun = performance.now();
  const count = await fill(ctx, size);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${count} rows in ${seconds} s.`);
  const person = { username: 'member', name: 'Member', email: 'member@example.com' };
  const { id } = await createUser(ctx, { ...person, password: serverPassword, admin: false });
  for (const project of Object.values(projects)) await addMember(ctx.db, project, id, 'owner');
}

async function signIn(address: string, auth: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth, password: serverPassword }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

interface Result {
  call: ListCall;
  project: string;
  bytes: number;
  statements: number;
  times: number[];
}

/** The milliseconds of so many calls one after the other; the callers take turns. */
async function measure(
  url: string,
  cookies: string[],
): Promise<{ times: number[]; bytes: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let turn = -cookies.length; turn < callsEach; turn += 1) {
    const cookie = cookies[Math.abs(turn) % cookies.length] ?? '';
    const begun = performance.now();
    const answer = await fetch(url, { headers: { cookie } });
    const body = await answer.arrayBuffer();
    // The first calls only warm up.
    if (turn >= 0) times.push(performance.now() - begun);
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
    bytes = Math.max(bytes, body.byteLength);
  }
  return { times: times.toSorted((a, b) => a - b), bytes };
}

/** Counts the statements of a call with a second server on the same data. */
async function openCounter(ctx: Context, config: ReturnType<typeof loadConfig>) {
  const watched = watch(ctx);
  const app = await createApp(watched.ctx, { config, log: ctx.log });
  return {
    close: () => app.close(),
    async count(url: string, cookie: string): Promise<number> {
      watched.take();
      await app.http.inject({ url, headers: { cookie } });
      return watched.take().length;
    },
  };
}

const at = (times: number[], part: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;

const heading = 'median     p95     p99  statements      KB  project  list';

/** Prints a line; answers whether the call is within the target. */
function print({ call, project, times, statements, bytes }: Result): boolean {
  const number = (value: number, width: number, digits = 1): string =>
    value.toFixed(digits).padStart(width);
  const [median, p95, p99] = [at(times, 0.5), at(times, 0.95), at(times, 0.99)];
  const isFast = median < targets.median && p99 < targets.p99;
  const figures = number(median, 6) + number(p95, 8) + number(p99, 8) + number(statements, 12, 0);
  const where = `${number(bytes / 1024, 8, 0)}  ${project.padEnd(7)}`;
  console.log(`${figures}${where}  ${call.name} ${call.asked}${isFast ? '' : '  MISSED'}`);
  return isFast;
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const dataDir = options.data ?? join(folder, 'data');
try {
  const config = { ...loadConfig({}), dataDir };
  const isThere = existsSync(join(dataDir, 'signalbox.db'));
  // The first start makes the administrator.
  if (!isThere) await (await startServer({ dataDir })).end('SIGTERM');
  const seeding = await openContext({ config, log: createLog('fatal') });
  if (!isThere) await seed(seeding);
  await seeding.close();
  const ctx = await openContext({ config, log: createLog('fatal') });
  const counter = await openCounter(ctx, config);
  const server = await startServer({ dataDir });
  const isMet: boolean[] = [];
  console.log(heading);
  try {
    const cookies = [await signIn(server.address, 'admin'), await signIn(server.address, 'member')];
    for (const [project, id] of Object.entries(projects)) {
      for (const call of listCalls(size, id)) {
        if (!call.name.startsWith(options.only)) continue;
        const statements = await counter.count(call.url, cookies[0] ?? '');
        const callers = call.isForAdmins ? cookies.slice(0, 1) : cookies;
        const measured = await measure(`${server.address}${call.url}`, callers);
        isMet.push(print({ call, project, statements, ...measured }));
      }
    }
  } finally {
    await server.end('SIGTERM');
    await counter.close();
    await ctx.close();
  }
  const isAllMet = isMet.every(Boolean);
  const targetText = `median < ${targets.median} ms, p99 < ${targets.p99} ms`;
  console.log(`Target for each of ${isMet.length}: ${targetText}: ${isAllMet ? 'met' : 'MISSED'}`);
  if (!isAllMet) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
