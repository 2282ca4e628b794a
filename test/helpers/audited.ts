// Whatever changes something through the API leaves an event, and whatever changes what somebody
// may see is told to those who remember it.

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../../src/server/context/context.ts';

const unrecorded: RegExp[] = [
  // Without a session.
  /^POST \/api\/auth\/logout$/,
  // When none runs; each task that is stopped has an event of its own.
  /^POST .*\/stop_all_tasks$/,
  // Of a task that has ended there is nothing to stop.
  /^POST .*\/tasks\/\d+\/stop$/,
  /^DELETE \/api\/tasks\/\d+$/,
  // Nothing is launched; what other programs send is kept as a delivery.
  /^POST .*\/integrations\/\d+\/try$/,
  /^POST \/api\/integrations\//,
  // No code is asked for until it is confirmed.
  /^POST \/api\/user\/second_factor$/,
  // What a runner tells of its task is recorded where it matters; the rest are questions.
  /^POST \/api\/runner\/(?:news|sort_out|looks\/\d+|tasks\/\d+\/(?:secrets|report))$/,
  /^PUT \/api\/runner\/tasks\/\d+\/log$/,
  // What a client keeps for its user changes nothing for anybody else.
  /^POST \/api\/user\/options$/,
  // A question.
  /^POST \/api\/identity\/try$/,
  /^POST \/api\/project\/\d+\/schedules\/validate$/,
  /^POST \/api\/project\/\d+\/inventory\/preview$/,
];

/** The newest event; 0: there is none. */
export async function newestEvent(ctx: Context): Promise<number> {
  const row = await ctx.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** All that is recorded of what has happened since. */
export async function eventsAfter(ctx: Context, before: number): Promise<string> {
  const events = ctx.db.selectFrom('events').selectAll().where('id', '>', before);
  return JSON.stringify(await events.execute());
}

/** Throws when a request that succeeded has changed something without a record of it. */
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

/** What users may see, one line for each membership, session, token and account. */
async function rightsOf({ db, clock }: Context): Promise<Map<string, number>> {
  const now = clock.now().toISOString();
  const { rows } = await sql<{ one: string; user_id: number }>`
    select 'member of ' || project_id || ' ' || role as one, user_id from members
    union all select 'session ' || id, user_id from sessions where expires > ${now}
    union all select 'token ' || id, user_id from tokens where coalesce(expires, '9') > ${now}
    union all select 'admin ' || admin, id from users`.execute(db);
  return new Map(rows.map(({ one, user_id: id }) => [`${id}: ${one}`, id]));
}

/** Answers what throws when somebody lost or was given a right and nobody was told. */
export async function watchRights(ctx: Context, method: string): Promise<() => Promise<void>> {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return () => Promise.resolve();
  const told = new Set<number | null>();
  const end = ctx.hub.subscribe('rights', ({ userId }) => told.add(userId));
  const before = await rightsOf(ctx);
  return async () => {
    const after = await rightsOf(ctx);
    const lost = [...before].filter(([one]) => !after.has(one));
    // Another session or token takes nothing that is remembered away.
    const given = [...after].filter(([one]) => !before.has(one) && /: (?:member|admin)/.test(one));
    const isNew = (id: number): boolean => ![...before.values()].includes(id);
    const changed = [...lost, ...given].filter(([, id]) => !isNew(id));
    const untold = () => changed.filter(([, id]) => !told.has(id) && !told.has(null));
    // Another request may be about to tell of what it has changed.
    for (let looks = 0; untold().length > 0 && looks < 100; looks += 1) await delay(20);
    end();
    const missed = untold().map(([one]) => one);
    if (missed.length > 0) throw new Error(`Nobody was told of changed rights: ${missed.join()}`);
  };
}
