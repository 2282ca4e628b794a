import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { until } from '../../../test/helpers/until.ts';
import { openDatabase } from '../db/open.ts';
import { createLog } from '../../node/log/log.ts';
import type { HubEvent, HubEventName } from './hub.ts';
import { createPostgresHub } from './hub-postgres.ts';

const topics: HubEventName[] = [
  'log.appended',
  'task.changed',
  'resource.changed',
  'queue.changed',
  'task.stop-requested',
  'hub.events-missed',
];

/** Servers that share a database, and the hub events that each of them receives. */
async function servers(count: number) {
  const { url, drop } = await freshPostgres();
  const all = await Promise.all(
    Array.from({ length: count }, async () => {
      const db = openDatabase(url);
      const hub = await createPostgresHub(url, db, createLog('silent'));
      const heard: HubEvent[] = [];
      for (const topic of topics) {
        hub.subscribe(topic, (message) => heard.push([topic, message] as HubEvent));
      }
      return { db, hub, heard };
    }),
  );
  onTestFinished(async () => {
    for (const { hub, db } of all) {
      await hub.close();
      await db.destroy();
    }
    await drop();
  });
  return all;
}

const changed = (projectId: number): HubEvent => ['resource.changed', { projectId, noun: 'keys' }];

test('tells every server, each once, and itself at once', async () => {
  const [one, other, third] = await servers(3);
  one?.hub.publish(...changed(1));
  expect(one?.heard).toEqual([changed(1)]);
  expect(await until(() => other?.heard.length === 1 && third?.heard.length === 1)).toBe(true);
  other?.hub.publish(...changed(2));
  expect(await until(() => one?.heard.length === 2)).toBe(true);
  expect(one?.heard).toEqual([changed(1), changed(2)]);
  expect(other?.heard).toEqual([changed(1), changed(2)]);
});

test('tells with the end of a transaction, and nothing when that fails', async () => {
  const [one, other] = await servers(2);
  const failing = one?.db.transaction().execute(async (db) => {
    await one.hub.publishWith(db, [changed(1)]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const tell = await one?.db
    .transaction()
    .execute((db) => one.hub.publishWith(db, [changed(2), changed(2)]));
  expect(one?.heard).toEqual([]);
  tell?.();
  expect(one?.heard).toEqual([changed(2), changed(2)]);
  expect(await until(() => other?.heard.length === 1)).toBe(true);
  expect(other?.heard).toEqual([changed(2)]);
});

test('tells of a log that grows fast in few messages, and of many changes in several', async () => {
  const [one, other] = await servers(2);
  for (let line = 1; line <= 5000; line += 1) {
    one?.hub.publish('log.appended', { projectId: 1, taskId: 7, from: line, total: line });
  }
  expect(await until(() => other?.heard.length === 2)).toBe(true);
  const lines = (from: number, total: number) => [
    'log.appended',
    { projectId: 1, taskId: 7, from, total },
  ];
  expect(other?.heard).toEqual([lines(1, 1), lines(2, 5000)]);
  for (let id = 1; id <= 1000; id += 1) one?.hub.publish(...changed(id));
  expect(await until(() => other?.heard.length === 1002)).toBe(true);
  expect(other?.heard.slice(2)).toEqual(one?.heard.slice(5000));
});

test('after a lost connection all are told to look, and hear again', async () => {
  const [one, other] = await servers(2);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'signalbox listener' and datname = current_database()`.execute(
    one?.db ?? openDatabase(''),
  );
  const missed: HubEvent = ['hub.events-missed', {}];
  expect(await until(() => other?.heard.length === 1 && one?.heard.length === 1)).toBe(true);
  expect([one?.heard, other?.heard]).toEqual([[missed], [missed]]);
  one?.hub.publish(...changed(3));
  expect(await until(() => other?.heard.length === 2)).toBe(true);
  expect(other?.heard).toEqual([missed, changed(3)]);
});
