import type { Db } from '../db/open.ts';

export interface Turn {
  /** Who is counted, and where from. */
  counter: string;
  now: string;
  /** What happened until then is forgotten. */
  forgotten: string;
  /** How many are free. */
  free: number;
  /** After those, one is taken when the one before it was until then. */
  due: string;
  /** Later than any clock of a server: what was counted then was counted by a wrong clock. */
  ahead: string;
}

/**
 * Counts an attempt, in one statement, so that of many at once none is missed. Null: it is too
 * early. Then the row stays as it is: knocking does not make the wait longer.
 */
export async function takeTurn(
  db: Db,
  { counter, now, forgotten, free, due, ahead }: Turn,
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

/** When the last attempt was counted; null: none was. */
export async function findLastTurn(db: Db, counter: string): Promise<string | null> {
  const query = db.selectFrom('sign_in_attempts').select('since').where('account', '=', counter);
  return (await query.executeTakeFirst())?.since ?? null;
}

/** Takes one attempt back. */
export async function giveTurnBack(db: Db, counter: string): Promise<void> {
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

/** Removes all counters of an account. False: there were none. */
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
