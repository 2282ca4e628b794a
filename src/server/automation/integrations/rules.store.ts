import type { Kysely } from 'kysely';
import type { ExtractValue, Matcher } from '#shared/api/matchers.ts';
import type { Db } from '../../db/open.ts';

/** The integration of a rule. */
export interface Owner {
  projectId: number;
  integrationId: number;
}

type RuleTable = 'integration_values' | 'integration_matchers';
interface Entities {
  integration_values: ExtractValue;
  integration_matchers: Matcher;
}
export type Rule<Table extends RuleTable> = Entities[Table];
/** A rule of a request. A change without `variable_type` keeps the stored one. */
export type NewRule<Table extends RuleTable> = Omit<
  Rule<Table>,
  'id' | 'integration_id' | 'variable_type'
> &
  Partial<Record<'variable_type', ExtractValue['variable_type'] | undefined>>;

export interface RuleStore<Table extends RuleTable> {
  /** The rules in the order in which they were created. */
  list: (db: Db, owner: Owner) => Promise<Rule<Table>[]>;
  find: (db: Db, owner: Owner, id: number) => Promise<Rule<Table> | null>;
  insert: (db: Db, owner: Owner, values: NewRule<Table>) => Promise<number>;
  update: (db: Db, owner: Owner, id: number, values: NewRule<Table>) => Promise<void>;
  remove: (db: Db, owner: Owner, id: number) => Promise<void>;
}

// Kysely cannot infer a table that is a type parameter, so rows have the type of the columns that both
// kinds share.
interface Columns {
  id: number;
  project_id: number;
  integration_id: number;
}
const generic = (db: Db): Kysely<{ rules: Columns }> => db as never;

function ruleStore<Table extends RuleTable>(table: Table): RuleStore<Table> {
  const name = table as unknown as 'rules';
  const all = (db: Db, { projectId, integrationId }: Owner) =>
    generic(db)
      .selectFrom(name)
      .selectAll()
      .where('project_id', '=', projectId)
      .where('integration_id', '=', integrationId)
      .orderBy('id');
  return {
    async list(db, owner) {
      return (await all(db, owner).execute()) as unknown as Rule<Table>[];
    },
    async find(db, owner, id) {
      const row = await all(db, owner).where('id', '=', id).executeTakeFirst();
      return (row ?? null) as Rule<Table> | null;
    },
    async insert(db, { projectId, integrationId }, values) {
      const row = await generic(db)
        .insertInto(name)
        .values({ ...values, project_id: projectId, integration_id: integrationId } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
    async update(db, { projectId, integrationId }, id, values) {
      await generic(db)
        .updateTable(name)
        .set(values as never)
        .where('project_id', '=', projectId)
        .where('integration_id', '=', integrationId)
        .where('id', '=', id)
        .execute();
    },
    async remove(db, { projectId, integrationId }, id) {
      await generic(db)
        .deleteFrom(name)
        .where('project_id', '=', projectId)
        .where('integration_id', '=', integrationId)
        .where('id', '=', id)
        .execute();
    },
  };
}

export const valueStore = ruleStore('integration_values');
export const matcherStore = ruleStore('integration_matchers');
