// Create, change and delete of any resource of a project or of the installation: refusals, events and hub events.

import type { References } from '#shared/api/references.ts';
import type { ChangedNoun } from '#shared/api/live.ts';
import { paramsOfHolders, type Holders } from '#shared/holders.ts';
import { seenBy, type Context } from '../context/context.ts';
import { refusing } from '../db/conflict.ts';
import type { Db } from '../db/open.ts';
import { listReferences } from '../db/references.ts';
import { inTransaction } from '../context/transaction.ts';
import type { NewValues, Owner, ResourceStore, ResourceTable, Versioned } from '../db/resource.ts';
import { record } from '../events/events.ts';
import { fail, fieldError, failFields } from '../lib/errors.ts';

type Singular =
  | 'key'
  | 'repository'
  | 'host_config'
  | 'inventory'
  | 'environment'
  | 'execution_environment'
  | 'template'
  | 'integration'
  | 'workflow'
  | 'alert_channel'
  | 'role';

/** Nothing refers to these; what refers to roles are no resources. */
type Unreferenced = 'host_config' | 'alert_channel' | 'role';

/** `revision`: that of the caller's copy, for optimistic locking. */
export interface Target<ProjectId extends Owner = number> {
  projectId: ProjectId;
  id: number;
  revision: number | null;
}

const refusalsOf = (singular: Singular, { name }: { name?: unknown }) => ({
  unique: () => fail(`${singular}.name_taken`, { name: String(name) }),
  // A referred resource was deleted concurrently.
  'foreign-key': () => fail('request.stale'),
});

const inUse = (singular: Singular, references: References) =>
  fail(
    `${singular as Exclude<Singular, Unreferenced>}.in_use`,
    paramsOfHolders(holdersIn(references)),
  );

export function resource<Table extends ResourceTable, Entity extends { name: string }, Json>(
  store: ResourceStore<Table, Entity, Json>,
  table: Table,
  singular: Singular,
  noun: ChangedNoun = table as Table & ChangedNoun,
) {
  /** Refuses when the project has no entity of this id. */
  const require = async ({ db }: Context, projectId: Owner, id: number) => {
    const found: Versioned<Entity> | null = await store.find(db, projectId, id);
    if (!found) throw fail(`${singular}.not_found`);
    return found;
  };
  const recordChange = async (
    ctx: Context,
    verb: 'created' | 'changed' | 'deleted',
    { projectId, id, name }: { projectId: Owner; id: number; name: string },
  ): Promise<void> => {
    const object = { type: singular, id, name };
    await record(ctx, { code: `${singular}.${verb}`, projectId, object });
    if (projectId !== null) ctx.hub.publish('resource.changed', { projectId, noun });
  };
  return {
    require,
    create(ctx: Context, projectId: Owner, values: NewValues<Table, Json>) {
      return inTransaction(ctx, async (inner) => {
        const insertion = store.insert(inner.db, projectId, values);
        const id = await refusing(insertion, refusalsOf(singular, values));
        const made = await require(inner, projectId, id);
        await recordChange(inner, 'created', { projectId, id, name: made.name });
        return made;
      });
    },
    change(
      ctx: Context,
      { projectId, id, revision }: Target<Owner>,
      values: Partial<NewValues<Table, Json>>,
    ): Promise<void> {
      return inTransaction(ctx, async (inner) => {
        const update = store.update(inner.db, projectId, id, { values, revision });
        const isChanged = await refusing(update, refusalsOf(singular, values));
        const { name } = await require(inner, projectId, id);
        if (!isChanged) throw fail('request.stale');
        await recordChange(inner, 'changed', { projectId, id, name });
      });
    },
    async remove(ctx: Context, projectId: Owner, id: number): Promise<void> {
      const { name } = await require(ctx, projectId, id);
      const removal = inTransaction(ctx, async (inner) => {
        if (!(await store.remove(inner.db, projectId, id))) throw fail(`${singular}.not_found`);
        await recordChange(inner, 'deleted', { projectId, id, name });
      });
      // Outside the transaction, which PostgreSQL aborts when a constraint is violated.
      const listed = () => listReferences(seenBy(ctx), table, projectId, id);
      await refusing(removal, { 'foreign-key': async () => inUse(singular, await listed()) });
    },
    async refs(ctx: Context, projectId: Owner, id: number): Promise<References> {
      await require(ctx, projectId, id);
      return listReferences(seenBy(ctx), table, projectId, id);
    },
  };
}

/** Names of the referring resources. */
export const holdersIn = (references: References): Holders =>
  Object.fromEntries(
    Object.entries(references).map(([section, list]) => [section, list.map(({ name }) => name)]),
  );

type Exists = (db: Db, projectId: number, id: number) => Promise<boolean>;

/** Refuses ids that are missing in this project, with the field of each. */
export async function checkReferences(
  ctx: Context,
  projectId: number,
  references: Record<string, [id: number | null, exists: Exists]>,
): Promise<void> {
  const wrong: string[] = [];
  for (const [path, [id, exists]] of Object.entries(references)) {
    if (id !== null && !(await exists(ctx.db, projectId, id))) wrong.push(path);
  }
  if (wrong.length > 0)
    throw failFields(...wrong.map((path) => fieldError(path, 'field.reference')));
}
