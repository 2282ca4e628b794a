// The hub of servers that share a PostgreSQL database: a hint of one server reaches all of them
// through LISTEN and NOTIFY. Hints carry ids only, except the lines that have no end yet, which are
// stored nowhere. After a lost connection it is unknown which hints were missed, so the hint `missed`
// tells all listeners to read again.

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { Listener, MAX_NOTICE_LENGTH, notify } from '../db/listen.ts';
import type { Db } from '../db/open.ts';
import type { Tables } from '../db/tables.ts';
import type { Log } from '../../node/log/log.ts';
import { createHub, type HubEvent, type Hub } from './hub.ts';

/** Opens the hub; settles when its connection listens. */
export async function createPostgresHub(url: string, db: Kysely<Tables>, log: Log): Promise<Hub> {
  const local = createHub();
  const sender = randomUUID();
  const outbox = createOutbox((hints) => tell(db, sender, hints), log);
  const listener = new Listener(url, {
    hear(text) {
      const [from, hints] = JSON.parse(text) as [string, HubEvent[]];
      if (from !== sender) for (const hint of hints) local.publish(...hint);
    },
    missed: () => local.publish('hub.events-missed', {}),
    log,
  });
  await listener.connect();
  return {
    subscribe: local.subscribe,
    publish(...hint) {
      local.publish(...hint);
      outbox.add(hint);
    },
    async publishWith(trx, hints) {
      await tell(trx, sender, hints);
      return local.publishWith(trx, hints);
    },
    async close() {
      await outbox.close();
      await listener.close();
    },
  };
}

async function tell(db: Db, sender: string, hints: HubEvent[]): Promise<void> {
  for (const payload of payloads(sender, merge(hints))) {
    await notify(db, payload);
  }
}

/** Merges the hints about lines of the same log into one, and drops repeated hints. */
function merge(hints: HubEvent[]): HubEvent[] {
  const logs = new Map<number, Extract<HubEvent, ['log.appended', unknown]>[1]>();
  const others: HubEvent[] = [];
  const seen = new Set<string>();
  for (const hint of hints) {
    if (hint[0] === 'log.appended') {
      const { from = hint[1].from } = logs.get(hint[1].taskId) ?? {};
      logs.set(hint[1].taskId, { ...hint[1], from: Math.min(from, hint[1].from) });
      continue;
    }
    const text = JSON.stringify(hint);
    if (!seen.has(text)) others.push(hint);
    seen.add(text);
  }
  return [...others, ...[...logs.values()].map((message): HubEvent => ['log.appended', message])];
}

function payloads(sender: string, hints: HubEvent[]): string[] {
  const lists: HubEvent[][] = [];
  let size = 0;
  for (const hint of hints) {
    const length = JSON.stringify(hint).length + 1;
    const last = lists.at(-1);
    if (last && size + length <= MAX_NOTICE_LENGTH - 100) last.push(hint);
    else {
      lists.push([hint]);
      size = 0;
    }
    size += length;
  }
  return lists.map((list) => JSON.stringify([sender, list]));
}

/** Sends hints one batch after the other; those that come meanwhile are the next batch. */
function createOutbox(send: (hints: HubEvent[]) => Promise<void>, log: Log) {
  let waiting: HubEvent[] = [];
  let turn: Promise<void> | null = null;
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const hints = waiting;
      waiting = [];
      // The other servers read again when their connection is back.
      await send(hints).catch((error: unknown) => {
        log.warn({ err: error }, 'other servers could not be told of a change');
      });
    }
    turn = null;
  };
  return {
    add(hint: HubEvent): void {
      waiting.push(hint);
      turn ??= sendAll();
    },
    close: async (): Promise<void> => {
      await turn;
    },
  };
}
