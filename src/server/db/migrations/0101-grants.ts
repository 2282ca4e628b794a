import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { runStatements } from './statements.ts';

/** Each kind of objects with its table, as it is since this migration. */
export const objects = {
  template: 'templates',
  workflow: 'workflows',
  view: 'views',
  inventory: 'inventories',
  key: 'keys',
  environment: 'environments',
  repository: 'repositories',
  execution_environment: 'execution_environments',
};

const columns = Object.entries(objects)
  .map(([type, table]) => `${type}_id {int64} references ${table} (id) on delete cascade,`)
  .join('\n');

/** Of each row, one of the columns names the object. */
const tables = `
  create table grants (
    id {id},
    project_id {int64} not null,
    user_id {int64} not null,
    ${columns}
    role varchar(20) not null,
    role_id {int64} references roles (id),
    limits text not null,
    from_rules integer default 0 not null,
    granted_by {int64} references users (id) on delete set null,
    created varchar(24) not null,
    constraint grants_member foreign key (project_id, user_id)
      references members (project_id, user_id) on delete cascade
  );
  create index grants_by_user on grants (user_id, project_id);
  create index grants_by_project on grants (project_id, id);
  create index grants_by_role on grants (role_id);
  create index grants_by_giver on grants (granted_by);
  create table restrictions (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    ${columns}
    mode varchar(10) not null
  );
  create index restrictions_by_project on restrictions (project_id);
  create index templates_by_view on templates (view_id) where view_id is not null;
  ${Object.keys(objects)
    .flatMap((type) => [
      `create index grants_by_${type} on grants (${type}_id) where ${type}_id is not null;`,
      `create unique index restrictions_${type} on restrictions (${type}_id) where ${type}_id is not null;`,
    ])
    .join('\n')}
`;

/** Until now, everybody in a project saw everything. */
const before = ['task.log', ...Object.keys(objects).map((type) => `${type}.see`)];

async function up(db: Kysely<never>): Promise<void> {
  await runStatements(db, tables);
  const stored = db as unknown as Kysely<{ roles: { id: number; rights: string } }>;
  // Lists of rights, as JSON.
  const roles = await stored
    .selectFrom('roles')
    .select(['id', 'rights'])
    .where('rights', 'like', '[%]')
    .execute();
  for (const { id, rights } of roles) {
    const all = [...new Set([...(JSON.parse(rights) as string[]), ...before])];
    await stored
      .updateTable('roles')
      .set({ rights: JSON.stringify(all) })
      .where('id', '=', id)
      .execute();
  }
}

export const migrations0101: Record<string, Migration> = { '0101-grants': { up } };
