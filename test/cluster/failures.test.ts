// Only on PostgreSQL: several servers need a database that they can share.
// Before a release: whole servers are started, and waited for until they count as lost.
// What happens to people and tasks when a server, its clock or its connection to the database
// fails.

import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { isUnreachable } from '../../src/server/db/unreachable.ts';
import { createPostgresHub } from '../../src/server/live/hub-postgres.ts';
import { createLog } from '../../src/node/log/log.ts';
import type { Caller } from '../helpers/app.ts';
import { scriptProject, startCluster, type Cluster } from '../helpers/cluster.ts';
import { cutLine } from '../helpers/cut-line.ts';
import { connect, linesOf } from '../helpers/live.ts';
import { freshPostgres } from '../helpers/postgres.ts';
import { folder } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

/** A script that says that it runs, counts, and waits until a file exists. */
async function countingScript() {
  const place = await folder();
  const [gate, runs] = [join(place, 'gate'), join(place, 'runs')];
  await writeFile(runs, '');
  const script = `echo run >> ${runs}
for i in $(seq 1 100); do echo "line $i"; sleep 0.05; done
until [ -e ${gate} ]; do sleep 0.05; done
echo the end
`;
  return {
    script,
    open: () => writeFile(gate, ''),
    runs: async () => (await readFile(runs, 'utf8')).length / 'run\n'.length,
  };
}

const counted = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
const onlyCounted = (lines: string[]) => lines.filter((line) => line.startsWith('line '));

async function linesAt(owner: Caller, task: { id: number; project_id: number }) {
  const params = { project_id: task.project_id, task_id: task.id };
  return (await owner.call(tasks.output, { params })).map(({ output }) => output);
}

test('whoever follows a log goes on at another server when the first is killed', async () => {
  const cluster = await startCluster();
  const first = await cluster.start('web');
  const second = await cluster.start('web');
  await cluster.start('runner');
  const owner = await cluster.at(first);
  const { script, open } = await countingScript();
  const seed = await scriptProject(owner, script);
  const { id: template_id } = await seed.template();
  const task = await launch(owner, seed.projectId, { template_id });
  const follow = async (address: string, after: number) => {
    const client = await connect(address, { cookie: owner.cookie });
    const of = { project_id: seed.projectId, task_id: task.id };
    client.send({ type: 'subscribe', topic: 'task_log', ...of, after });
    return client;
  };
  const before = await follow(first.address, 0);
  await until(() => linesOf(before.messages).some(({ output }) => output === 'line 20'));
  await first.end('SIGKILL');
  await before.closed;
  const seen = linesOf(before.messages);
  const client = await follow(second.address, seen.at(-1)?.number ?? 0);
  await open();
  await client.untilMessage('log_end');
  const all = [...seen, ...linesOf(client.messages)];
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
  expect(onlyCounted(all.map(({ output }) => output))).toEqual(counted);
}, 300_000);

/** Opens the database of a cluster, and can tell the servers that schedules have changed. */
async function insight({ url }: Cluster) {
  const db = openDatabase(url);
  const hub = await createPostgresHub(url, db, createLog('silent'));
  onTestFinished(async () => {
    await hub.close();
    await db.destroy();
  });
  return {
    db,
    tell: (projectId: number) => hub.publish('resource.changed', { projectId, noun: 'schedules' }),
  };
}

/** Adds a schedule that is due in as many seconds as `dueIn` says. */
async function scheduled(cluster: Cluster, owner: Caller) {
  const { db, tell } = await insight(cluster);
  const seed = await scriptProject(owner, 'echo hello\n');
  const { id: template_id } = await seed.template({ allow_parallel_tasks: true });
  const params = { project_id: seed.projectId };
  const yearly = { cron_format: '0 0 1 1 *', time_zone: 'UTC', active: true };
  const body = { name: 'Often', template_id, ...yearly };
  const { id } = await owner.call(schedules.create, { params, body });
  return {
    async dueIn(seconds: number): Promise<string> {
      const due = new Date(Date.now() + seconds * 1000).toISOString();
      await db.updateTable('schedules').set({ next_due: due }).where('id', '=', id).execute();
      tell(seed.projectId);
      return due;
    },
    /** The due times that have been taken, and when. */
    fires: () =>
      db.selectFrom('schedule_fires').select(['due', 'noticed', 'result']).orderBy('due').execute(),
    tasks: () => db.selectFrom('tasks').selectAll().where('schedule_id', '=', id).execute(),
  };
}

test('each due time is taken once, whichever of two servers is killed', async () => {
  const cluster = await startCluster();
  const nodes = [await cluster.start('web'), await cluster.start('web')];
  await cluster.start('runner');
  const owner = await cluster.at(await cluster.start('web'));
  const { dueIn, fires, tasks: started } = await scheduled(cluster, owner);
  const due: string[] = [];
  const isTaken = async () => (await fires()).length === due.length;
  for (let round = 0; round < 6; round += 1) {
    due.push(await dueIn(1.5));
    // The server is killed before the time comes, so that the others have to take it.
    if (round === 2) await nodes[0]?.end('SIGKILL');
    if (round === 4) await nodes[1]?.end('SIGKILL');
    await until(isTaken);
    await until(async () => (await started()).every(({ status }) => status === 'success'));
  }
  const taken = await fires();
  expect(taken.map((fire) => fire.due)).toEqual(due);
  expect(taken.map(({ result }) => result)).toEqual(due.map(() => 'started'));
  expect(await started()).toHaveLength(due.length);
}, 300_000);

const minutes = 60_000;

test('a clock that is five minutes wrong harms no task, no schedule and no session', async () => {
  const cluster = await startCluster();
  const wrong = (seconds: number) => ({
    env: {
      NODE_OPTIONS: `--import=${resolve('test/helpers/wrong-clock.ts')}`,
      CLOCK_IS_WRONG_BY: String(seconds),
    },
  });
  const early = await cluster.start('web', wrong(300));
  const right = await cluster.start('web');
  const late = await cluster.start('runner', wrong(-300));
  await cluster.start('runner');
  expect(early.printed()).toContain('differs from that of the database');
  const owner = await cluster.at(early);
  const { dueIn, fires } = await scheduled(cluster, owner);
  const due = await dueIn(3);
  const seed = await scriptProject(owner, 'echo "line 1"; exit 1\n');
  const { id: template_id } = await seed.template({
    retries: 1,
    retry_delay_s: 2,
    allow_parallel_tasks: true,
  });
  const begun = Date.now();
  const callers = [owner, await cluster.at(right)];
  for (const caller of [...callers, ...callers, ...callers]) {
    await launch(caller, seed.projectId, { template_id });
  }
  const params = { project_id: seed.projectId };
  const all = await until(async () => {
    const list = await owner.call(tasks.list, { params });
    return list.length === 12 && list.every(({ status }) => status === 'error') && list;
  }, 60);
  // Both runners have run some of the tasks.
  const { db } = await insight(cluster);
  const rows = await db
    .selectFrom('tasks')
    .selectAll()
    .where('project_id', '=', seed.projectId)
    .execute();
  expect(new Set(rows.map(({ runner_id: id }) => id)).size).toBe(2);
  const times = rows.flatMap(({ created, start, end }) => [created, start ?? '', end ?? '']);
  const wrongTimes = times.filter((time) => Math.abs(Date.parse(time) - begun) > 2 * minutes);
  expect(wrongTimes).toEqual([]);
  for (const { created, not_before: time, attempt, start } of rows) {
    expect([created <= (start ?? ''), attempt === 1 || (start ?? '') >= (time ?? '')]).toEqual([
      true,
      true,
    ]);
  }
  const [one] = all;
  if (!one) throw new Error('No task is there.');
  const log = await owner.call(tasks.output, { params: { ...params, task_id: one.id } });
  expect(log.every(({ time }) => Math.abs(Date.parse(time) - begun) < 2 * minutes)).toBe(true);
  const fired = await until(async () => {
    const list = await fires();
    return list.length > 0 && list;
  });
  expect(fired).toEqual([{ due, noticed: expect.any(String), result: 'started' }]);
  expect((fired[0]?.noticed ?? '') >= due).toBe(true);
  // This is longer than the time after which a runner counts as lost.
  await until(() => Date.now() - begun > 25_000, 60);
  const states = (await owner.call(runners.list, {})).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['ready']));
  expect(late.child.exitCode).toBeNull();
}, 300_000);

/** Starts a task on a runner that has a connection to the database of its own. */
async function cutOff(retries: number) {
  const cluster = await startCluster();
  const web = await cluster.start('web');
  const line = await cluster.line();
  await cluster.start('runner', { env: line.env });
  const owner = await cluster.at(web);
  const counting = await countingScript();
  const seed = await scriptProject(owner, counting.script);
  const { id: template_id } = await seed.template({ retries, retry_delay_s: 1 });
  const task = await launch(owner, seed.projectId, { template_id });
  await until(async () => (await linesAt(owner, task)).includes('line 10'));
  return { cluster, line, owner, seed, task, ...counting };
}

test.each(['cut', 'silence'] as const)(
  'a runner that is cut off for longer than it may be (%s) loses its task to another, and ends its own run',
  async (how) => {
    const { cluster, line, owner, seed, task, open, runs } = await cutOff(1);
    line[how]();
    const begun = performance.now();
    await cluster.start('runner');
    const ended = await untilFinished(owner, task, 60);
    expect(ended.status).toBe('error');
    expect(performance.now() - begun).toBeLessThan(32_000);
    expect((await linesAt(owner, task)).at(-1)).toMatch(/^The server .* was lost/);
    const again = await until(async () =>
      (await owner.call(tasks.list, { params: { project_id: seed.projectId } })).find(
        ({ attempt }) => attempt === 2,
      ),
    );
    const before = await linesAt(owner, task);
    line.mend();
    // The old run was ended before its program could finish.
    const present = async () =>
      (await owner.call(runners.list, {})).every(({ role, active }) => role === 'web' || active);
    await until(present, 60);
    await open();
    expect((await untilFinished(owner, again, 60)).status).toBe('success');
    expect(onlyCounted(await linesAt(owner, again))).toEqual(counted);
    expect(await linesAt(owner, task)).toEqual(before);
    expect(await runs()).toBe(2);
  },
  300_000,
);

test('a runner that is cut off for some seconds goes on as if nothing had been', async () => {
  const { cluster, line, owner, task, open, runs } = await cutOff(1);
  line.silence();
  const begun = performance.now();
  await cluster.start('runner');
  await until(() => performance.now() - begun > 12_000);
  line.mend();
  await open();
  expect((await untilFinished(owner, task, 60)).status).toBe('success');
  const lines = await linesAt(owner, task);
  expect(onlyCounted(lines)).toEqual(counted);
  expect(lines.at(-1)).toBe('the end');
  expect(await runs()).toBe(1);
  expect(await logText(owner, task)).not.toContain('was lost');
}, 300_000);

test('a server that falls silent in a transaction keeps its locks for seconds only', async () => {
  const { url, drop } = await freshPostgres();
  const line = await cutLine(Number(new URL(url).port));
  const through = new URL(url);
  through.port = String(line.port);
  const [lost, other] = [openDatabase(through.href), openDatabase(url)];
  onTestFinished(async () => {
    await Promise.all([lost.destroy(), other.destroy()]);
    await drop();
  });
  await sql`create table notes (text text)`.execute(other);
  const silent = Promise.withResolvers<void>();
  const held = lost.transaction().execute(async (transaction) => {
    await sql`lock table notes`.execute(transaction);
    line.silence();
    silent.resolve();
    await sql`insert into notes values ('lost')`.execute(transaction);
  });
  const failure = held.catch((error: unknown) => error);
  await silent.promise;
  await sql`insert into notes values ('kept')`.execute(other);
  line.mend();
  expect(isUnreachable(await failure)).toBe(true);
  const { rows } = await sql`select text from notes`.execute(other);
  expect(rows).toEqual([{ text: 'kept' }]);
}, 120_000);
