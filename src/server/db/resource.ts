// The statements of all resources, which have an id, a name that is unique in their project, a revision.

import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from './open.ts';
import { fromPlain, toPlain, type Columns, type NoJson, type Plain } from './plain-row.ts';
import type { ResourceColumns } from './tables/columns.ts';
import type { NewRow, Row } from './tables.ts';

export type ResourceTable =
  | 'keys'
  | 'repositories'
  | 'host_configs'
  | 'inventories'
  | 'environments'
  | 'execution_environments'
  | 'templates'
  | 'integrations'
  | 'alert_channels'
  | 'workflows'
  | 'roles';

/** The project of a resource; null: the installation. */
export type Owner = number | null;

export interface ListOptions {
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  limit?: number | undefined;
  /** Keyset pagination: only rows after this id. */
  before?: number | undefined;
  /** A further condition, set by stores only. */
  where?: RawBuilder<SqlBool>[] | undefined;
}

export type NewValues<Table extends ResourceTable, Json = NoJson> = Plain<
  Omit<NewRow<Table>, 'id' | 'project_id' | 'revision'>,
  Json
>;
export type Versioned<Entity> = Entity & { revision: number };

export interface ResourceStore<Table extends ResourceTable, Entity, Json = NoJson> {
  list: (db: Db, projectId: Owner, options?: ListOptions) => Promise<Entity[]>;
  find: (db: Db, projectId: Owner, id: number) => Promise<Versioned<Entity> | null>;
  insert: (db: Db, projectId: Owner, values: NewValues<Table, Json>) => Promise<number>;
  /** Returns false when the row is missing or has another revision. */
  update: (
    db: Db,
    projectId: Owner,
    id: number,
    change: { values: Partial<NewValues<Table, Json>>; revision: number | null },
  ) => Promise<boolean>;
  remove: (db: Db, projectId: Owner, id: number) => Promise<boolean>;
  exists: (db: Db, projectId: Owner, id: number) => Promise<boolean>;
}

interface Options<Table extends ResourceTable, Entity, Json> {
  columns: Columns<Row<Table>, Json>;
  toEntity: (row: Plain<Row<Table>, Json>) => Entity;
  /** Sort keys that are not columns. */
  sort?: Record<string, RawBuilder<unknown>>;
}

// Kysely cannot type a table that is a type parameter, so rows have the shared columns here.
type OwnedColumns = Omit<ResourceColumns, 'project_id'> & { project_id: Owner };
const generic = (db: Db): Kysely<{ resources: OwnedColumns }> => db as never;

const isOwner = (projectId: Owner) => (projectId === null ? 'is' : '=');

/** `Json` has the types of the parsed columns. */
export function resourceStore<Table extends ResourceTable, Entity, Json = NoJson>(
  table: Table,
  options: Options<Table, Entity, Json>,
): ResourceStore<Table, Entity, Json> {
  const name = table as unknown as 'resources';
  const toRow = (values: object) => fromPlain(options.columns, values);
  return { ...reads(name, options), ...writes<Table, Json>(name, toRow) };
}

const comparison = { asc: sql`>`, desc: sql`<` };

type Reads = 'list' | 'find' | 'exists';

function reads<Table extends ResourceTable, Entity, Json>(
  name: 'resources',
  { columns, toEntity, sort = {} }: Options<Table, Entity, Json>,
): Pick<ResourceStore<Table, Entity>, Reads> {
  const entity = (row: unknown): Versioned<Entity> => {
    const { revision } = row as { revision: number };
    const plain = toPlain<Row<Table>, Json>(columns, row as Row<Table>);
    return Object.assign(toEntity(plain) as object, { revision }) as Versioned<Entity>;
  };
  const one = (db: Db, projectId: Owner, id: number) =>
    generic(db)
      .selectFrom(name)
      .where('project_id', isOwner(projectId), projectId)
      .where('id', '=', id);
  return {
    async list(db, projectId, options = {}) {
      const { sort: column = 'name', order = 'asc', limit, before, where = [] } = options;
      const by = sort[column] ?? sql.ref(column);
      let query = generic(db)
        .selectFrom(name)
        .selectAll()
        .where('project_id', isOwner(projectId), projectId)
        .orderBy(by as never, order)
        .orderBy('id', order);
      for (const condition of where) query = query.where(condition);
      if (before !== undefined) {
        const last = generic(db)
          .selectFrom(name)
          .select([sql`${by}`.as('by'), 'id'])
          .where('project_id', isOwner(projectId), projectId)
          .where('id', '=', before);
        query = query.where(sql<SqlBool>`(${by}, id) ${comparison[order]} (${last})`);
      }
      if (limit !== undefined) query = query.limit(limit);
      return (await query.execute()).map(entity);
    },
    async find(db, projectId, id) {
      const row = await one(db, projectId, id).selectAll().executeTakeFirst();
      return row ? entity(row) : null;
    },
    async exists(db, projectId, id) {
      return (await one(db, projectId, id).select('id').executeTakeFirst()) !== undefined;
    },
  };
}

function writes<Table extends ResourceTable, Json>(
  name: 'resources',
  toRow: (values: object) => object,
): Omit<ResourceStore<Table, never, Json>, Reads> {
  return {
    async insert(db, projectId, values) {
      const row = await generic(db)
        .insertInto(name)
        .values({ ...toRow(values), project_id: projectId } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
    async update(db, projectId, id, { values, revision }) {
      let query = generic(db)
        .updateTable(name)
        .set({ ...toRow(values), revision: sql`revision + 1` } as never)
        .where('project_id', isOwner(projectId), projectId)
        .where('id', '=', id);
      if (revision !== null) query = query.where('revision', '=', revision);
      const { numUpdatedRows } = await query.executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async remove(db, projectId, id) {
      const { numDeletedRows } = await generic(db)
        .deleteFrom(name)
        .where('project_id', isOwner(projectId), projectId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
