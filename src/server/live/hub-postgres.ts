// The hub of servers that share a PostgreSQL database, through LISTEN and NOTIFY. Events carry ids only,
// except partial lines, which are not stored. After a lost connection events may have been missed, so
// `hub.events-missed` makes all subscribers read again.

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { Listener, MAX_NOTICE_LENGTH, notify } from '../db/listen.ts';
import type { Db } from '../db/open.ts';
import type { Tables } from '../db/tables.ts';
import type { Log } from '../../node/log/log.ts';
import { createHub, type HubEvent, type Hub } from './hub.ts';

/** Settles when its connection listens. */
export async function createPostgresHub(url: string, db: Kysely<Tables>, log: Log): Promise<Hub> {
  const local = createHub();
  const sender = randomUUID();
  const outbox = createOutbox((events) => notifyServers(db, sender, events), log);
  const listener = new Listener(url, {
    hear(text) {
      const [from, events] = JSON.parse(text) as [string, HubEvent[]];
      if (from !== sender) for (const event of events) local.publish(...event);
    },
    missed: () => local.publish('hub.events-missed', {}),
    log,
  });
  await listener.connect();
  return {
    subscribe: local.subscribe,
    publish(...event) {
      local.publish(...event);
      outbox.add(event);
    },
    async publishWith(trx, events) {
      await notifyServers(trx, sender, events);
      return local.publishWith(trx, events);
    },
    async close() {
      await outbox.close();
      await listener.close();
    },
  };
}

async function notifyServers(db: Db, sender: string, events: HubEvent[]): Promise<void> {
  for (const payload of payloads(sender, merge(events))) await notify(db, payload);
}

/** Merges the events about lines of the same log, and drops duplicates. */
function merge(events: HubEvent[]): HubEvent[] {
  const logs = new Map<number, Extract<HubEvent, ['log.appended', unknown]>[1]>();
  const others: HubEvent[] = [];
  const seen = new Set<string>();
  for (const event of events) {
    if (event[0] === 'log.appended') {
      const { from = event[1].from } = logs.get(event[1].taskId) ?? {};
      logs.set(event[1].taskId, { ...event[1], from: Math.min(from, event[1].from) });
      continue;
    }
    const text = JSON.stringify(event);
    if (!seen.has(text)) others.push(event);
    seen.add(text);
  }
  return [...others, ...[...logs.values()].map((message): HubEvent => ['log.appended', message])];
}

function payloads(sender: string, events: HubEvent[]): string[] {
  const lists: HubEvent[][] = [];
  let size = 0;
  for (const event of events) {
    const length = JSON.stringify(event).length + 1;
    const last = lists.at(-1);
    if (last && size + length <= MAX_NOTICE_LENGTH - 100) last.push(event);
    else {
      lists.push([event]);
      size = 0;
    }
    size += length;
  }
  return lists.map((list) => JSON.stringify([sender, list]));
}

/** Sends one batch at a time; events added meanwhile form the next batch. */
function createOutbox(send: (events: HubEvent[]) => Promise<void>, log: Log) {
  let waiting: HubEvent[] = [];
  let turn: Promise<void> | null = null;
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const events = waiting;
      waiting = [];
      // The other servers read again after they reconnect.
      await send(events).catch((error: unknown) => {
        log.warn({ err: error }, 'publishing events to other servers failed');
      });
    }
    turn = null;
  };
  return {
    add(event: HubEvent): void {
      waiting.push(event);
      turn ??= sendAll();
    },
    close: async (): Promise<void> => {
      await turn;
    },
  };
}
