import type { Db } from '../../db/open.ts';

export interface AttemptRow {
  /** Account and source. */
  counter: string;
  now: string;
  /** Attempts before this time have expired. */
  forgotten: string;
  /** The attempts without a delay. */
  free: number;
  /** Further attempts are accepted if the previous one was before this time. */
  due: string;
  /** Attempts after this future time were counted with a wrong clock and are ignored. */
  ahead: string;
}

/** Counts atomically. Returns null when the attempt comes too early, which does not extend the delay. */
export async function takeAttempt(
  db: Db,
  { counter, now, forgotten, free, due, ahead }: AttemptRow,
): Promise<{ count: number } | null> {
  const row = await db
    .insertInto('sign_in_attempts')
    .values({ account: counter, count: 1, since: now })
    .onConflict((conflict) =>
      conflict
        .column('account')
        .doUpdateSet({
          count: ({ eb }) =>
            eb
              .case()
              .when('sign_in_attempts.since', '<=', forgotten)
              .then(1)
              .else(eb('sign_in_attempts.count', '+', 1))
              .end(),
          since: now,
        })
        .where(({ eb, or }) =>
          or([
            eb('sign_in_attempts.since', '<=', forgotten),
            eb('sign_in_attempts.count', '<', free),
            eb('sign_in_attempts.since', '<=', due),
            eb('sign_in_attempts.since', '>', ahead),
          ]),
        ),
    )
    .returning('count')
    .executeTakeFirst();
  return row ?? null;
}

/** Null when there is none. */
export async function findLastAttempt(db: Db, counter: string): Promise<string | null> {
  const query = db.selectFrom('sign_in_attempts').select('since').where('account', '=', counter);
  return (await query.executeTakeFirst())?.since ?? null;
}

export async function returnAttempt(db: Db, counter: string): Promise<void> {
  await db
    .updateTable('sign_in_attempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('account', '=', counter)
    .where('count', '>', 0)
    .execute();
}

export async function removeCounter(db: Db, counter: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', counter).execute();
}

/** Returns false when there were none. */
export async function removeAttempts(db: Db, account: string): Promise<boolean> {
  const query = db
    .deleteFrom('sign_in_attempts')
    .where(({ eb, or }) =>
      or([eb('account', '=', account), eb('account', 'like', `${account} %`)]),
    );
  const rows = await query.returning('count').execute();
  return rows.some(({ count }) => count > 0);
}

export async function removeAttemptsBefore(db: Db, forgotten: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('since', '<=', forgotten).execute();
}
