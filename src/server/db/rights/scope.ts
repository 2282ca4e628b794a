// Statements that find only what one person may see. Each table that they read is replaced by its visible rows: a
// common table expression of the same name stands before the statement, so that no statement can forget the condition.

import {
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type QueryId,
  RawNode,
  type RawBuilder,
  type RootOperationNode,
  type SelectQueryNode,
  sql,
  type SqlBool,
  WithNode,
} from 'kysely';
import { columnOf, grantedTables, grantedTypes } from '#shared/grants/granted-types.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { objectTypes, type ObjectType } from '#shared/object-types.ts';
import type { Db } from '../open.ts';
import { preparedName } from '../prepared.ts';
import { isSqlite } from '../row.ts';

/** What a person may see of the projects in which they do not see everything. */
export interface Scope {
  userId: number;
  projects: {
    id: number;
    /** The kinds of objects that they see unless one is restricted. */
    seen: ReadonlySet<GrantedType>;
  }[];
}

export function scoped(db: Db, scope: Scope): Db {
  if (db.getExecutor().plugins.some((one) => one instanceof ScopePlugin)) return db;
  return db.withPlugin(new ScopePlugin(scope, isSqlite(db as never) ? 'main.' : ''));
}

const listOf = (ids: number[]): RawBuilder<unknown> =>
  ids.length === 0 ? sql`(null)` : sql`(${sql.join(ids.map((id) => sql.lit(id)))})`;

type Condition = RawBuilder<SqlBool>;

/** The condition on the rows of a table; columns are those of the table. */
type Conditions = Record<string, Condition>;

function ofObjects({ userId, projects }: Scope): Conditions {
  const outside = sql<SqlBool>`(project_id is null or project_id not in ${listOf(projects.map(({ id }) => id))})`;
  const granted = (type: GrantedType, column: string): Condition => {
    const named = sql.ref(columnOf(type));
    return sql`${sql.ref(column)} in (select ${named} from grants
      where user_id = ${sql.lit(userId)} and ${named} is not null)`;
  };
  const isUnrestricted = (type: GrantedType, column: string): Condition => {
    const named = sql.ref(columnOf(type));
    return sql`(${sql.ref(column)} is null or ${sql.ref(column)} not in (
      select ${named} from restrictions where ${named} is not null))`;
  };
  const open = (type: GrantedType, column: string): Condition => {
    const ids = projects.filter(({ seen }) => seen.has(type)).map(({ id }) => id);
    return sql`(project_id in ${listOf(ids)} and ${isUnrestricted(type, column)})`;
  };
  /** Of an object that a view may show, with the view. */
  const shown = (type: GrantedType): Condition =>
    sql`(${outside} or ${granted(type, 'id')} or ${granted('view', 'view_id')}
      or (${open(type, 'id')} and ${isUnrestricted('view', 'view_id')}))`;
  const ofType = (type: GrantedType): Condition =>
    type === 'template' || type === 'workflow'
      ? shown(type)
      : sql`(${outside} or ${granted(type, 'id')} or ${open(type, 'id')})`;
  return Object.fromEntries(grantedTypes.map((type) => [grantedTables[type].table, ofType(type)]));
}

const isIn = (column: string, table: string): Condition =>
  sql`${sql.ref(column)} in (select id from ${sql.table(table)})`;

/** What belongs to objects. */
const ofOthers: Conditions = {
  tasks: isIn('template_id', 'templates'),
  schedules: sql`(${isIn('template_id', 'templates')} or ${isIn('workflow_id', 'workflows')})`,
  workflow_runs: isIn('workflow_id', 'workflows'),
  inventory_hosts: isIn('inventory_id', 'inventories'),
  alert_deliveries: sql`((run_id is null and ${isIn('task_id', 'tasks')})
    or ${isIn('run_id', 'workflow_runs')})`,
  // Those of inventories and of tasks.
  hosts: sql`(exists (select 1 from inventory_hosts i
      where i.project_id = hosts.project_id and i.host = hosts.name)
    or exists (select 1 from task_hosts t join tasks on tasks.id = t.task_id
      where t.project_id = hosts.project_id and t.host = hosts.name))`,
};

const whatIsSeen = (column: string): RawBuilder<unknown> =>
  sql`case when ${isIn('last_task_id', 'tasks')} then ${sql.ref(column)} end as ${sql.ref(column)}`;

/** The columns of a table of which some are about something else; the others are not there. */
const columnsOf: Record<string, RawBuilder<unknown>> = {
  hosts: sql`id, project_id, name, sort_key, ${whatIsSeen('last_task_id')}, ${whatIsSeen('last_outcome')}`,
};

/** The table of what an event is about; null: shown to everybody who sees the event's project. */
const tablesOfEvents: Record<ObjectType, string | null> = {
  project: null,
  user: null,
  key: 'keys',
  repository: 'repositories',
  inventory: 'inventories',
  environment: 'environments',
  view: 'views',
  workflow: 'workflows',
  workflow_run: 'workflow_runs',
  template: 'templates',
  task: 'tasks',
  schedule: 'schedules',
  integration: 'integrations',
  integrationextractvalue: 'integrations',
  integrationmatcher: 'integrations',
  integrationalias: 'integrations',
  alert_channel: null,
  host_key: null,
  host_config: null,
  execution_environment: 'execution_environments',
  app: null,
  option: null,
  installation: null,
  session: null,
  token: null,
  group_rule: null,
  role: null,
  runner: null,
};

/** Events about what is hidden or was deleted, of which nobody knows any more who saw it, are not there. */
function ofEvents({ projects }: Scope): Condition {
  const visible = objectTypes.map((type): Condition => {
    const table = tablesOfEvents[type];
    const isType = sql<SqlBool>`object_type = ${sql.lit(type)}`;
    return table ? sql`(${isType} and ${isIn('object_id', table)})` : isType;
  });
  return sql`(project_id is null or project_id not in ${listOf(projects.map(({ id }) => id))}
    or ${sql.join(visible, sql` or `)})`;
}

/** Those that start nothing yet are seen by whoever sees templates. */
function ofIntegrations({ projects }: Scope): Condition {
  const unseen = projects.filter(({ seen }) => !seen.has('template')).map(({ id }) => id);
  return sql`((template_id is null and workflow_id is null and project_id not in ${listOf([0, ...unseen])})
    or ${isIn('template_id', 'templates')} or ${isIn('workflow_id', 'workflows')})`;
}

const conditionsOf = (scope: Scope): Conditions => ({
  ...ofObjects(scope),
  ...ofOthers,
  integrations: ofIntegrations(scope),
  events: ofEvents(scope),
});

/** The tables on whose conditions others depend stand first. */
const dependencies: Record<string, string[]> = {
  tasks: ['templates'],
  schedules: ['templates', 'workflows'],
  integrations: ['templates', 'workflows'],
  workflow_runs: ['workflows'],
  inventory_hosts: ['inventories'],
  alert_deliveries: ['tasks', 'workflow_runs'],
  hosts: ['inventory_hosts', 'tasks'],
  events: [...new Set(Object.values(tablesOfEvents).filter((table) => table !== null))],
};

const isRawSelect = ({ sqlFragments: [start = ''] }: RawNode): boolean =>
  start.trimStart().toLowerCase().startsWith('select');

const isPreparedName = ({ sqlFragments }: RawNode): boolean =>
  preparedName(sqlFragments.join('')) !== undefined;

/** The names of tables in a statement, and its raw texts. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind } = value as { kind?: string };
  if (kind === 'IdentifierNode') return [(value as { name: string }).name];
  const texts = kind === 'RawNode' ? [...(value as RawNode).sqlFragments] : [];
  return [...texts, ...Object.values(value).flatMap((one) => namesIn(one))];
}

/** Kysely hands over each part of a statement by itself first; only the whole statement keeps its expressions. */
class BareParts extends OperationNodeTransformer {
  readonly originals = new WeakMap<SelectQueryNode, SelectQueryNode>();

  protected override transformSelectQuery(node: SelectQueryNode, id?: QueryId): SelectQueryNode {
    return super.transformSelectQuery(this.originals.get(node) ?? node, id);
  }
}

class ScopePlugin implements KyselyPlugin {
  readonly #bare = new BareParts();
  readonly #conditions: Conditions;
  readonly #schema: string;

  /** `schema`: by which the tables themselves are named beside the expressions. */
  constructor(scope: Scope, schema: string) {
    this.#conditions = conditionsOf(scope);
    this.#schema = schema;
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'SelectQueryNode') return this.#ofSelect(node);
    if (node.kind === 'RawNode' && isRawSelect(node)) return this.#ofRaw(node);
    return node;
  }

  transformResult: KyselyPlugin['transformResult'] = ({ result }) => Promise.resolve(result);

  #ofSelect(given: SelectQueryNode): RootOperationNode {
    const node = this.#bare.transformNode(given);
    const [first, ...others] = this.#tablesIn(node).map((table) => this.#expression(table));
    if (!first) return node;
    const before = node.with;
    let expressions = WithNode.create(first, before?.recursive ? { recursive: true } : {});
    for (const one of [...others, ...(before?.expressions ?? [])]) {
      expressions = WithNode.cloneWithExpression(expressions, one);
    }
    const endModifiers = node.endModifiers?.filter(
      ({ rawModifier }) => !(rawModifier && isPreparedName(rawModifier as RawNode)),
    );
    const narrowed = { ...node, with: expressions, ...(endModifiers && { endModifiers }) };
    this.#bare.originals.set(narrowed, node);
    return narrowed;
  }

  #ofRaw(node: RawNode): RootOperationNode {
    const tables = this.#tablesIn(node);
    if (tables.length === 0) return node;
    const expressions = tables.map(
      (table) => sql`${sql.ref(table)} as not materialized ${this.#rows(table)}`,
    );
    const prefix = sql`with ${sql.join(expressions)} `.toOperationNode();
    return RawNode.createWithChildren([prefix, node]);
  }

  #rows(table: string): RawBuilder<unknown> {
    const columns = columnsOf[table] ?? sql`*`;
    const from = sql.raw(`${this.#schema}${table}`);
    return sql`(select ${columns} from ${from} where ${this.#conditions[table]})`;
  }

  #expression(table: string): CommonTableExpressionNode {
    const expression = CommonTableExpressionNode.create(
      CommonTableExpressionNameNode.create(table),
      this.#rows(table).toOperationNode(),
    );
    return CommonTableExpressionNode.cloneWith(expression, { materialized: false });
  }

  /** Those that a statement reads, after those on which they depend. */
  #tablesIn(node: RootOperationNode): string[] {
    const found = new Set<string>();
    const add = (table: string): void => {
      for (const one of dependencies[table] ?? []) add(one);
      found.add(table);
    };
    const known = Object.keys(this.#conditions);
    for (const name of namesIn(node)) for (const one of known) if (name.includes(one)) add(one);
    return known.filter((table) => found.has(table));
  }
}
