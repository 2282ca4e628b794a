import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { CustomRole, ListedRole } from '#shared/api/roles.ts';
import {
  builtInRights,
  completeRights,
  isBuiltIn,
  noRights,
  type Right,
  type Rights,
  roleInfos,
} from '#shared/rights.ts';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore, type ListOptions, type Owner } from '../../db/resource.ts';
import type { Tables } from '../../db/tables.ts';

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
  return new Map(rows.map(({ role_id: id, amount }) => [id ?? 0, Number(amount)]));
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

/** How many members have a role, how many group rules give it, and in how many workflows it approves. */
export interface RoleUses {
  members: number;
  rules: number;
  approvals: number;
}

export async function countUses(
  db: Db,
  { id, project_id: projectId, slug }: CustomRole,
): Promise<RoleUses> {
  const count = async (table: 'members' | 'group_rules'): Promise<number> => {
    const row = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('amount'))
      .where('role_id', '=', id)
      .executeTakeFirstOrThrow();
    return Number(row.amount);
  };
  return {
    members: await count('members'),
    rules: await count('group_rules'),
    approvals: await countApprovals(db, projectId, slug),
  };
}

async function countApprovals(db: Db, projectId: Owner, slug: string): Promise<number> {
  let query = db.selectFrom('workflows').select('graph').where('graph', 'like', `%"${slug}"%`);
  if (projectId !== null) query = query.where('project_id', '=', projectId);
  const names = ({ graph }: { graph: string }): boolean =>
    (JSON.parse(graph) as WorkflowGraph).nodes.some(
      (node) => node.type === 'approval' && node.roles.includes(slug),
    );
  return (await query.execute()).filter(names).length;
}

export interface FoundRole {
  slug: string;
  /** Null for a built-in role. */
  id: number | null;
  name: string;
  rights: Rights;
}

const builtInNames = new Map<string, string>(roleInfos.map(({ slug, name }) => [slug, name]));

/** The name of a role of one's own, or the English one of a built-in role. */
export const roleNameOf = (slug: string, own: string | null): string =>
  own ?? builtInNames.get(slug) ?? slug;

const parsed = new Map<string, Rights>();
const MAX_PARSED = 1000;

/** The rights as they are stored. Sets with the same text are the same. */
function readRights(text: string): Rights {
  const known = parsed.get(text);
  if (known) return known;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const rights = new Set(completeRights(JSON.parse(text) as Right[]));
  parsed.set(text, rights);
  return rights;
}

/** The rights of a member: those of their own role, or of a built-in one. */
export function rightsOf({ role, rights }: { role: string | null; rights: string | null }): Rights {
  if (rights !== null) return readRights(rights);
  return role !== null && isBuiltIn(role) ? builtInRights[role] : noRights;
}

/** A condition on a member: their role has the right. */
export const hasRight =
  (right: Right) =>
  (eb: ExpressionBuilder<Tables, 'members'>): Expression<SqlBool> =>
    eb.or([
      eb.and([
        eb('members.role_id', 'is', null),
        eb(
          'members.role',
          'in',
          Object.entries(builtInRights).flatMap(([role, rights]) =>
            rights.has(right) ? [role] : [],
          ),
        ),
      ]),
      eb(
        'members.role_id',
        'in',
        eb.selectFrom('roles').select('roles.id').where('rights', 'like', `%"${right}"%`),
      ),
    ]);
