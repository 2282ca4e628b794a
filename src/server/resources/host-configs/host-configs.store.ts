import { sql } from 'kysely';
import type { HostConfig } from '#shared/api/host-configs.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore } from '../../db/resource.ts';

/** `name` is the host or the prefix. */
type NamedHostConfig = HostConfig & { name: string };

export const hostConfigStore = resourceStore<'host_configs', NamedHostConfig>('host_configs', {
  columns: {},
  toEntity: ({ revision: _revision, ...row }) => ({ ...row, host: row.name }),
  sort: {
    host: sql.ref('name'),
    ssh_key: sql`(select name from keys where keys.id = host_configs.ssh_key_id)`,
  },
});

export async function countHostConfigs(db: Db, projectId: number): Promise<number> {
  const { count } = await db
    .selectFrom('host_configs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return count;
}
