// Makes many users who are signed in. They are written straight into the database, because a server
// limits how often people sign in.

import { loadConfig } from '../../src/server/config/config.ts';
import { databaseFile, openDatabase } from '../../src/server/db/open.ts';
import { digest } from '../../src/server/lib/digest.ts';

/**
 * Adds so many users with a session each; answers their cookies. `projectId`: they are guests of
 * this project; null: of none.
 */
export async function addSessions(
  dataDir: string,
  { name: prefix, count, projectId }: { name: string; count: number; projectId: number | null },
): Promise<string[]> {
  const db = openDatabase(`sqlite:${databaseFile({ ...loadConfig({}), dataDir })}`);
  const created = new Date().toISOString();
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  for (const name of names) {
    const user = { username: name, name, email: `${name}@example.com`, created };
    const { id } = await db
      .insertInto('users')
      .values({
        ...user,
        username_key: name,
        email_key: user.email,
        password_hash: null,
        admin: 0,
        external: 1,
        alert: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const session = { user_id: id, token_hash: digest(name), created, last_active: created };
    const from = { expires, ip: '', user_agent: '', provider: null, id_token: null };
    await db
      .insertInto('sessions')
      .values({ ...session, ...from })
      .execute();
    if (projectId === null) continue;
    await db
      .insertInto('members')
      .values({ project_id: projectId, user_id: id, from_rules: 0, role: 'guest' })
      .execute();
  }
  await db.destroy();
  return names.map((name) => `signalbox=${name}`);
}
