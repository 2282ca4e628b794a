import { sql } from 'kysely';
import type { Repository } from '#shared/api/repositories.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore } from '../../db/resource.ts';

export const repositoryStore = resourceStore<'repositories', Repository>('repositories', {
  columns: {},
  toEntity: ({ revision: _revision, ...row }) => row,
  sort: { ssh_key: sql`(select name from keys where keys.id = repositories.ssh_key_id)` },
});

/** The repositories of all projects, and where they are. */
export function listAllAddresses(db: Db): Promise<{ id: number; git_url: string }[]> {
  return db.selectFrom('repositories').select(['id', 'git_url']).execute();
}
