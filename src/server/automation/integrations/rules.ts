// Matchers and values of integrations.

import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import { fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { inTransaction } from '../../context/transaction.ts';
import { requireIntegration } from './integrations.ts';
import {
  matcherStore,
  valueStore,
  type NewRule,
  type Owner,
  type Rule,
  type RuleStore,
} from './rules.store.ts';

type Kind = 'integration_values' | 'integration_matchers';

// The names of each kind in codes, and in events, where older clients expect them.
const words = {
  integration_values: ['extract_value', 'integrationextractvalue'],
  integration_matchers: ['matcher', 'integrationmatcher'],
} as const;

function rules<Table extends Kind>(store: RuleStore<Table>, table: Table) {
  const [singular, type] = words[table];
  const ownerOf = (ctx: Context, { projectId, integrationId }: Owner) =>
    requireIntegration(ctx, projectId, integrationId);
  const require = async (ctx: Context, owner: Owner, id: number): Promise<Rule<Table>> => {
    await ownerOf(ctx, owner);
    const found = await store.find(ctx.db, owner, id);
    if (!found) throw fail(`${singular}.not_found`);
    return found;
  };
  const recordRule = async (
    ctx: Context,
    verb: 'created' | 'changed' | 'deleted',
    { projectId, integrationId }: Owner,
    { id, name }: { id: number; name: string },
  ): Promise<void> => {
    const { name: integration } = await ownerOf(ctx, { projectId, integrationId });
    await record(ctx, {
      code: `${singular}.${verb}`,
      projectId,
      object: { type, id, name },
      params: { integration },
    });
    ctx.hub.publish('resource.changed', { projectId, noun: 'integrations' });
  };
  return {
    require,
    async list(ctx: Context, owner: Owner): Promise<Rule<Table>[]> {
      await ownerOf(ctx, owner);
      return store.list(ctx.db, owner);
    },
    create(ctx: Context, owner: Owner, values: NewRule<Table>): Promise<Rule<Table>> {
      return inTransaction(ctx, async (inner) => {
        await ownerOf(inner, owner);
        const gone = { 'foreign-key': () => fail('integration.not_found') };
        const id = await refusing(store.insert(inner.db, owner, values), gone);
        await recordRule(inner, 'created', owner, { id, name: values.name });
        return require(inner, owner, id);
      });
    },
    change(ctx: Context, owner: Owner, id: number, values: NewRule<Table>): Promise<void> {
      return inTransaction(ctx, async (inner) => {
        await require(inner, owner, id);
        await store.update(inner.db, owner, id, values);
        await recordRule(inner, 'changed', owner, { id, name: values.name });
      });
    },
    remove(ctx: Context, owner: Owner, id: number): Promise<void> {
      return inTransaction(ctx, async (inner) => {
        const rule = await require(inner, owner, id);
        await store.remove(inner.db, owner, id);
        await recordRule(inner, 'deleted', owner, rule);
      });
    },
    async refs(ctx: Context, owner: Owner, id: number) {
      await require(ctx, owner, id);
      return { integrations: [await ownerOf(ctx, owner)] };
    },
  };
}

export const values = rules(valueStore, 'integration_values');
export const matchers = rules(matcherStore, 'integration_matchers');
