// Checks that every change through the API records an event, and that every change of somebody's
// rights is announced to the parts that remember rights.

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../../src/server/context/context.ts';

const unrecorded: RegExp[] = [
  // The caller has no session.
  /^POST \/api\/auth\/logout$/,
  // The caller has a session already; pending-mfa-sessions.test.ts checks the event of a new one.
  /^POST \/api\/auth\/(?:verify|recovery)$/,
  // No task is running; each task that is stopped has an event of its own.
  /^POST .*\/stop_all_tasks$/,
  // The task has ended, so there is nothing to stop.
  /^POST .*\/tasks\/\d+\/stop$/,
  /^POST .*\/workflow_runs\/\d+\/stop$/,
  /^DELETE \/api\/tasks\/\d+$/,
  // Nothing is launched; requests of other programs are kept as deliveries.
  /^POST .*\/integrations\/\d+\/try$/,
  /^POST \/api\/integrations\//,
  // Each resource that is changed has an event of its own; all of them may be refused.
  /^POST .*\/bulk(?:\/run)?$/,
  // The second factor is in use only after its confirmation.
  /^POST \/api\/user\/second_factor$/,
  // The server records what a runner reports where it matters; the other requests only read.
  /^POST \/api\/runner\/(?:news|sort_out|looks\/\d+|tasks\/\d+\/(?:delegate|task|secrets|report))$/,
  /^PUT \/api\/runner\/tasks\/\d+\/log$/,
  // Options that a client keeps for its user change nothing for anybody else.
  /^POST \/api\/user\/options$/,
  // The pins of a user change nothing for anybody else.
  /^(?:PUT|DELETE) .*\/templates\/\d+\/pin$/,
  // This call only reads.
  /^POST \/api\/identity\/try$/,
  /^POST \/api\/project\/\d+\/schedules\/validate$/,
  /^POST \/api\/project\/\d+\/inventory\/preview$/,
];

/** The id of the newest event; 0 if there is none. */
export async function newestEvent(ctx: Context): Promise<number> {
  const row = await ctx.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** All events that were recorded later than `before`. */
export async function eventsAfter(ctx: Context, before: number): Promise<string> {
  const events = ctx.db.selectFrom('events').selectAll().where('id', '>', before);
  return JSON.stringify(await events.execute());
}

/** Throws if a successful request has changed something without recording an event. */
export async function checkAudit(
  ctx: Context,
  before: number,
  { method, path: url, status }: { method: string; path: string; status: number },
): Promise<void> {
  const path = url.split('?')[0] ?? url;
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || status >= 400) return;
  if (unrecorded.some((pattern) => pattern.test(`${method} ${path}`))) return;
  if ((await newestEvent(ctx)) === before) throw new Error(`${method} ${path} left no event`);
}

/** What users may see: one line for each membership, session, token and account. */
async function rightsOf({ db, clock }: Context): Promise<Map<string, number>> {
  const now = clock.now().toISOString();
  const { rows } = await sql<{ one: string; user_id: number }>`
    select 'member of ' || project_id || ' ' || role as one, user_id from members
    union all select 'session ' || id, user_id from sessions where expires > ${now}
    union all select 'token ' || id, user_id from tokens where coalesce(expires, '9') > ${now}
    union all select 'admin ' || admin, id from users`.execute(db);
  return new Map(rows.map(({ one, user_id: id }) => [`${id}: ${one}`, id]));
}

/** Returns a function that throws if the rights of somebody have changed and no hub event was sent. */
export async function watchRights(ctx: Context, method: string): Promise<() => Promise<void>> {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return () => Promise.resolve();
  const told = new Set<number | null>();
  const end = ctx.hub.subscribe('permission.changed', ({ userId }) => told.add(userId));
  const before = await rightsOf(ctx);
  return async () => {
    const after = await rightsOf(ctx);
    const lost = [...before].filter(([one]) => !after.has(one));
    // A further session or token removes nothing that is remembered.
    const given = [...after].filter(([one]) => !before.has(one) && /: (?:member|admin)/.test(one));
    const isNew = (id: number): boolean => ![...before.values()].includes(id);
    const changed = [...lost, ...given].filter(([, id]) => !isNew(id));
    const untold = () => changed.filter(([, id]) => !told.has(id) && !told.has(null));
    // Another request may be about to send the hub event for its own change.
    for (let looks = 0; untold().length > 0 && looks < 100; looks += 1) await delay(20);
    end();
    const missed = untold().map(([one]) => one);
    if (missed.length > 0) throw new Error(`Nobody was told of changed rights: ${missed.join()}`);
  };
}
