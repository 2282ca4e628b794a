// Jobs for the servers that share a PostgreSQL database: pg-boss with what we need of it. A job
// only wakes and tells; the tables of tasks and runners say what is true.

import { fromKysely, PgBoss } from 'pg-boss';
import type { Log } from '../../runner/system/log.ts';
import type { Db } from './open.ts';

// Seconds: how long jobs of the past are kept, how soon a silent holder counts as dead, and how
// often queues that nobody tells of are looked at.
const kept = 3600;
const heartbeat = 10;
const pollTime = 2;
const longestJob = 24 * 3600 - 1;

const held = 'held';
const dropped = 'dropped';
// Of each wake-up as many as this are taken at once.
const batch = 100;

export interface Jobs {
  start: () => Promise<void>;
  /** Puts a job into a queue, with the end of the transaction. */
  send: (db: Db, queue: string, data: object) => Promise<void>;
  /** Calls back for the jobs of a queue that is made here. */
  work: (queue: string, take: (data: object[]) => Promise<void>) => Promise<void>;
  /** Begins to hold something, with the end of the transaction; answers what to touch. */
  hold: (db: Db, data: object) => Promise<string>;
  /** Says that the holder is alive. False: it counted as dead before. */
  touch: (id: string) => Promise<boolean>;
  letGo: (id: string) => Promise<void>;
  /** Calls back on one of the servers for what a holder that is dead has held. */
  onDropped: (take: (data: object) => Promise<void>) => Promise<void>;
  /** Calls back again after so many seconds. */
  dropAgain: (db: Db, data: object, seconds: number) => Promise<void>;
  close: () => Promise<void>;
}

const once = { retryLimit: 0, deleteAfterSeconds: kept, retentionSeconds: kept };

export function openJobs(connectionString: string, log: Log): Jobs {
  const boss = new PgBoss({
    connectionString,
    application_name: 'signalbox jobs',
    max: 3,
    useListenNotify: true,
    // Both, or a silent holder is found after a minute.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    schedule: false,
    monitorVacuum: false,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the queue of jobs failed for a moment'));
  const within = (db: Db) => ({ db: fromKysely(db) });
  return {
    async start() {
      await boss.start();
      await boss.createQueue(dropped, once);
      await boss.createQueue(held, {
        ...once,
        expireInSeconds: longestJob,
        heartbeatSeconds: heartbeat,
        deadLetter: dropped,
      });
    },
    async send(db, queue, data) {
      await boss.send(queue, data, within(db));
    },
    async work(queue, take) {
      await boss.createQueue(queue, { ...once, notify: true });
      const options = { batchSize: batch, pollingIntervalSeconds: pollTime };
      await boss.work<object>(queue, options, (jobs) => take(jobs.map(({ data }) => data)));
    },
    async hold(db, data) {
      const id = await boss.send(held, data, within(db));
      const taken = await boss.fetch(held, { ...within(db), batchSize: batch });
      if (id === null || !taken.some((job) => job.id === id)) throw new Error('Nothing was held.');
      return id;
    },
    async touch(id) {
      // Its types leave out how many it found.
      const { affected = 0 } = (await boss.touch(held, id)) as { affected?: number };
      return affected > 0;
    },
    async letGo(id) {
      await boss.complete(held, id);
    },
    async onDropped(take) {
      const options = { batchSize: 1, pollingIntervalSeconds: pollTime };
      await boss.work<object>(dropped, options, async ([job]) => {
        if (job) await take(job.data);
      });
    },
    async dropAgain(db, data, seconds) {
      await boss.send(dropped, data, { startAfter: seconds, ...within(db) });
    },
    async close() {
      await boss.stop({ graceful: false, close: true });
    },
  };
}
