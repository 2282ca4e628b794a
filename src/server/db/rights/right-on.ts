// A condition on rows of templates or workflows: a user has a right there, by their role in the project or by a grant.

import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Right } from '#shared/rights.ts';
import { hasRight } from './role-rights.ts';

interface Holder {
  table: 'templates' | 'workflows';
  /** The id, or a column with it. */
  user: RawBuilder<unknown>;
}

/**
 * The role in the project counts unless the object or the view that shows it is restricted; restrictions do not keep
 * out those who give access. A grant with limits counts, too.
 */
export function hasRightOn({ table, user }: Holder, right: Right): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const own = sql.ref(table === 'templates' ? 'template_id' : 'workflow_id');
  const names = (alias: string) =>
    sql`(${sql.ref(alias)}.${own} = ${column('id')}
      or ${sql.ref(alias)}.view_id = ${column('view_id')})`;
  return sql<SqlBool>`(exists (select 1 from members m
      where m.user_id = ${user} and m.project_id = ${column('project_id')}
        and ${hasRight(right, 'm')}
        and (${hasRight('grant.edit', 'm')}
          or not exists (select 1 from restrictions x where ${names('x')})))
    or exists (select 1 from grants g
      where g.user_id = ${user} and g.project_id = ${column('project_id')}
        and ${names('g')} and ${hasRight(right, 'g')}))`;
}
