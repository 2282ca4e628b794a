import type { Db } from '../db/open.ts';

interface Attempt {
  account: string;
  now: string;
  /** What happened until then is forgotten. */
  forgotten: string;
  /** How many are allowed in a row. */
  allowed: number;
}

/**
 * Counts an attempt, in one statement, so that of many at once none is missed. Those behind the
 * allowed ones leave the time as it is: knocking does not keep a lock shut.
 */
export function countAttempt(
  db: Db,
  { account, now, forgotten, allowed }: Attempt,
): Promise<{ count: number; since: string }> {
  return db
    .insertInto('sign_in_attempts')
    .values({ account, count: 1, since: now })
    .onConflict((conflict) =>
      conflict.column('account').doUpdateSet({
        count: ({ eb, ref }) =>
          eb
            .case()
            .when('sign_in_attempts.since', '<=', forgotten)
            .then(1)
            .when('sign_in_attempts.count', '>', allowed)
            .then(ref('sign_in_attempts.count'))
            .else(eb('sign_in_attempts.count', '+', 1))
            .end(),
        since: ({ eb, ref, and }) =>
          eb
            .case()
            .when(
              and([
                eb('sign_in_attempts.since', '>', forgotten),
                eb('sign_in_attempts.count', '>=', allowed),
              ]),
            )
            .then(ref('sign_in_attempts.since'))
            .else(now)
            .end(),
      }),
    )
    .returning(['count', 'since'])
    .executeTakeFirstOrThrow();
}

/** Takes one attempt back. */
export async function uncountAttempt(db: Db, account: string): Promise<void> {
  await db
    .updateTable('sign_in_attempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('account', '=', account)
    .where('count', '>', 0)
    .execute();
}

/** False: there were none. */
export async function removeAttempts(db: Db, account: string): Promise<boolean> {
  const query = db.deleteFrom('sign_in_attempts').where('account', '=', account);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

export async function removeAttemptsBefore(db: Db, forgotten: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('since', '<=', forgotten).execute();
}
