import { sql, type SqlBool } from 'kysely';
import type { CustomRole, ListedRole } from '#shared/api/roles.ts';
import type { Right } from '#shared/rights.ts';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import type { Db } from '../../db/open.ts';
import { toPlain } from '../../db/plain-row.ts';
import { resourceStore, type ListOptions, type Owner } from '../../db/resource.ts';

export const roleStore = resourceStore<'roles', CustomRole, { rights: Right[] }>('roles', {
  columns: { rights: 'json' },
  toEntity: ({ revision: _revision, ...row }) => row,
});

/** Those of a project, or of the installation, with the number of members that have them there. */
export async function listRoles(
  db: Db,
  projectId: Owner,
  options: ListOptions = {},
): Promise<ListedRole[]> {
  const lists = [await roleStore.list(db, projectId, options)];
  if (projectId !== null) lists.push(await roleStore.list(db, null, options));
  const counts = await countMembers(db, projectId);
  return lists.flat().map((role) => ({ ...role, members: counts.get(role.id) ?? 0 }));
}

async function countMembers(db: Db, projectId: Owner): Promise<Map<number, number>> {
  let query = db
    .selectFrom('members')
    .select(({ fn }) => ['role_id', fn.countAll<number>().as('amount')])
    .where('role_id', 'is not', null)
    .groupBy('role_id');
  if (projectId !== null) query = query.where('project_id', '=', projectId);
  const rows = await query.execute();
  return new Map(rows.map(({ role_id: id, amount }) => [id ?? 0, amount]));
}

/** Finds it among those of the project and of the installation; the project's own come first. */
export async function findBySlug(
  db: Db,
  projectId: Owner,
  slug: string,
): Promise<CustomRole | null> {
  const row = await db
    .selectFrom('roles')
    .select(['id', 'project_id'])
    .where('slug', '=', slug)
    .where(sql<SqlBool>`(project_id = ${projectId} or project_id is null)`)
    .orderBy(sql`case when project_id is null then 1 else 0 end`)
    .executeTakeFirst();
  return row ? roleStore.find(db, row.project_id, row.id) : null;
}

/** Nobody gets it until the transaction ends. */
export async function holdRole(db: Db, id: number): Promise<void> {
  await db
    .updateTable('roles')
    .set(({ ref }) => ({ revision: ref('revision') }))
    .where('id', '=', id)
    .execute();
}

/** How many members have a role, in the project or on an object, how many rules give it, and how many workflows ask it. */
export interface RoleUses {
  members: number;
  grants: number;
  rules: number;
  approvals: number;
}

export async function countUses(
  db: Db,
  { id, project_id: projectId, slug }: CustomRole,
): Promise<RoleUses> {
  const count = async (table: 'members' | 'grants' | 'group_rules'): Promise<number> => {
    const row = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('amount'))
      .where('role_id', '=', id)
      .executeTakeFirstOrThrow();
    return row.amount;
  };
  return {
    members: await count('members'),
    grants: await count('grants'),
    rules: await count('group_rules'),
    approvals: await countApprovals(db, projectId, slug),
  };
}

async function countApprovals(db: Db, projectId: Owner, slug: string): Promise<number> {
  let query = db.selectFrom('workflows').select('graph').where('graph', 'like', `%"${slug}"%`);
  if (projectId !== null) query = query.where('project_id', '=', projectId);
  const names = (row: { graph: string }): boolean =>
    toPlain<typeof row, { graph: WorkflowGraph }>({ graph: 'json' }, row).graph.nodes.some(
      (node) => node.type === 'approval' && node.roles.includes(slug),
    );
  return (await query.execute()).filter(names).length;
}
