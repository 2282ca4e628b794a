// Lists the resources that refer to another one, along the foreign keys.

import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { References } from '#shared/api/references.ts';
import type { Db } from './open.ts';
import type { Owner, ResourceTable } from './resource.ts';

type Section =
  | 'projects'
  | 'templates'
  | 'workflows'
  | 'inventories'
  | 'repositories'
  | 'host_configs'
  | 'execution_environments'
  | 'schedules'
  | 'integrations'
  | 'alert_channels';
type Condition = (id: number) => RawBuilder<SqlBool>;

const ofColumn =
  (column: string): Condition =>
  (id) =>
    sql`${sql.ref(column)} = ${id}`;

const users: Record<ResourceTable, Partial<Record<Section, Condition>>> = {
  keys: {
    // Parentheses: further conditions are added with `and`.
    inventories: (id) => sql`(ssh_key_id = ${id} or become_key_id = ${id})`,
    repositories: (id) => sql`(ssh_key_id = ${id} or status_key_id = ${id})`,
    templates: (id) =>
      sql`id in (select template_id from template_vaults where vault_key_id = ${id})`,
    host_configs: ofColumn('ssh_key_id'),
    execution_environments: ofColumn('registry_key_id'),
    integrations: ofColumn('auth_secret_id'),
  },
  repositories: {
    inventories: ofColumn('repository_id'),
    templates: ofColumn('repository_id'),
    schedules: ofColumn('repository_id'),
  },
  inventories: {
    templates: ofColumn('inventory_id'),
    integrations: ofColumn('inventory_id'),
    schedules: ofColumn('inventory_id'),
  },
  environments: {
    templates: (id) => sql`(environment_id = ${id} or id in (
      select template_id from template_environments where environment_id = ${id}))`,
  },
  execution_environments: {
    projects: ofColumn('execution_environment_id'),
    templates: ofColumn('execution_environment_id'),
    workflows: (id) =>
      sql`id in (select workflow_id from workflow_uses where execution_environment_id = ${id})`,
    schedules: ofColumn('execution_environment_id'),
    integrations: ofColumn('execution_environment_id'),
  },
  // Schedules of a template are deleted with it and do not count.
  templates: {
    templates: ofColumn('build_template_id'),
    workflows: (id) => sql`id in (select workflow_id from workflow_uses where template_id = ${id})`,
    integrations: ofColumn('template_id'),
    alert_channels: (id) =>
      sql`id in (select channel_id from alert_channel_templates where template_id = ${id})`,
  },
  workflows: {
    workflows: (id) =>
      sql`id in (select workflow_id from workflow_uses where used_workflow_id = ${id})`,
    schedules: ofColumn('workflow_id'),
    integrations: ofColumn('workflow_id'),
    alert_channels: (id) =>
      sql`id in (select channel_id from alert_channel_workflows where workflow_id = ${id})`,
  },
  host_configs: {},
  integrations: {},
  alert_channels: {},
  roles: {},
};

// An unnamed schedule has the name of its template or workflow.
const nameIn = (section: Section): RawBuilder<string> =>
  section === 'schedules'
    ? sql`coalesce(nullif(name, ''), (select t.name from templates t where t.id = template_id),
        (select w.name from workflows w where w.id = workflow_id))`
    : sql`name`;

/** Rows of other projects are named with their project, because only the installation is used by several. */
const nameFor = (section: Section, projectId: Owner): RawBuilder<string> =>
  projectId === null && section !== 'projects'
    ? sql`(select p.name from projects p where p.id = project_id) || ': ' || ${nameIn(section)}`
    : nameIn(section);

// What the installation owns may be used by every project.
const MAX_REFERENCES_PER_SECTION = 1000;

/** With one statement per referring table. */
export async function listReferences(
  db: Db,
  table: ResourceTable,
  projectId: Owner,
  id: number,
): Promise<References> {
  const list = async (section: Section): Promise<References[Section]> => {
    const uses = users[table][section];
    if (!uses) return [];
    const owner = section === 'projects' ? 'id' : 'project_id';
    return db
      .selectFrom(section)
      .select(['id', nameFor(section, projectId).as('name')])
      .$if(projectId !== null, (rows) => rows.where(sql<SqlBool>`${sql.ref(owner)} = ${projectId}`))
      .where(uses(id))
      .orderBy('name')
      .orderBy('id')
      .limit(MAX_REFERENCES_PER_SECTION)
      .execute();
  };
  return {
    projects: await list('projects'),
    templates: await list('templates'),
    workflows: await list('workflows'),
    inventories: await list('inventories'),
    repositories: await list('repositories'),
    host_configs: await list('host_configs'),
    execution_environments: await list('execution_environments'),
    schedules: await list('schedules'),
    integrations: await list('integrations'),
    alert_channels: await list('alert_channels'),
  };
}
