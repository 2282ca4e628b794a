// Group rules: assign roles by claims at each sign-in at a provider.

import type { GroupRule, NewGroupRule, TriedClaims } from '#shared/api/identity.ts';
import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import { record } from '../../events/events.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { findObjectName } from '../../db/rights/named-object.store.ts';
import { syncGrants } from '../grants/rule-grants.ts';
import { syncRoles } from '../members/rule-roles.ts';
import { inTransaction } from '../../context/transaction.ts';
import { requireRoleBySlug } from '../roles/roles.ts';
import type { FoundRole } from '../../db/rights/role-rights.ts';
import { syncAdministrator } from '../users/rule-administrators.ts';
import { evaluateRules } from './evaluate-rules.ts';
import {
  findRule,
  insertRule,
  listRules,
  removeRule,
  updatePosition,
  updateRule,
} from './group-rules.store.ts';
import type { Person } from './person.ts';

export const getRules = (ctx: Context): Promise<GroupRule[]> => listRules(ctx.db);

const refusals = {
  'foreign-key': () => failFields(fieldError('project_id', 'field.reference')),
};

export async function requireRule(ctx: Context, id: number): Promise<GroupRule> {
  const rule = await findRule(ctx.db, id);
  if (!rule) throw fail('group_rule.not_found');
  return rule;
}

export async function createRule(ctx: Context, input: NewGroupRule): Promise<GroupRule> {
  checkSource(ctx, input);
  return inTransaction(ctx, async (inner) => {
    const role = await roleOf(inner, input);
    await checkObject(inner, input);
    const id = await refusing(insertRule(inner.db, input, role), refusals);
    await recordRule(inner, 'created', { id, pattern: input.pattern });
    return requireRule(inner, id);
  });
}

export async function changeRule(ctx: Context, id: number, input: NewGroupRule): Promise<void> {
  checkSource(ctx, input);
  await inTransaction(ctx, async (inner) => {
    const role = await roleOf(inner, input);
    await checkObject(inner, input);
    const isThere = await refusing(updateRule(inner.db, id, input, role), refusals);
    if (!isThere) throw fail('group_rule.not_found');
    await recordRule(inner, 'changed', { id, pattern: input.pattern });
  });
}

export async function deleteRule(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { pattern } = await requireRule(inner, id);
    await removeRule(inner.db, id);
    await recordRule(inner, 'deleted', { id, pattern });
  });
}

/** Refuses a list that is not a permutation of the existing rules. */
export async function placeRules(ctx: Context, ids: number[]): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const there = (await listRules(inner.db)).map(({ id }) => id);
    const isWhole = there.length === ids.length && there.every((id) => ids.includes(id));
    if (!isWhole) throw fail('request.stale');
    for (const [position, id] of ids.entries()) await updatePosition(inner.db, id, position);
    const object = { type: 'group_rule', id: null, name: '' } as const;
    await record(inner, { code: 'group_rule.placed', projectId: null, object });
  });
}

function recordRule(
  ctx: Context,
  verb: 'created' | 'changed' | 'deleted',
  { id, pattern }: { id: number; pattern: string },
): Promise<void> {
  const object = { type: 'group_rule', id, name: pattern } as const;
  return record(ctx, { code: `group_rule.${verb}`, projectId: null, object });
}

/** Null: the rule makes administrators. */
async function roleOf(
  { db }: Context,
  { project_id: projectId, role }: NewGroupRule,
): Promise<FoundRole | null> {
  return role === null ? null : requireRoleBySlug(db, projectId, role);
}

async function checkObject(
  { db }: Context,
  { project_id: projectId, object_type: type, object_id: id }: NewGroupRule,
): Promise<void> {
  if (projectId === null || type === null || id === null) return;
  const name = await findObjectName(db, projectId, { type, id });
  if (name === null) throw failFields(fieldError('object_id', 'field.reference'));
}

function checkSource({ config }: Context, { source }: Pick<NewGroupRule, 'source'>): void {
  const ids = config.identity.providers.map(({ id }) => id);
  if (!['any', 'ldap', ...ids].includes(source)) {
    throw failFields(fieldError('source', 'group_rule.source'));
  }
}

export async function tryClaims(
  ctx: Context,
  { source, claims }: { source: string; claims: Record<string, unknown> },
): Promise<TriedClaims> {
  checkSource(ctx, { source });
  const rules = await listRules(ctx.db);
  const outcome = evaluateRules(rules, source, claims);
  const namesOf = (ruleId: number) => {
    const rule = rules.find(({ id }) => id === ruleId);
    return { project: rule?.project_name ?? '', object: rule?.object_name ?? '' };
  };
  return {
    administrator: outcome.administrator,
    roles: [...outcome.roles].map(([id, { role, ruleId }]) => ({
      project_id: id,
      project_name: namesOf(ruleId).project,
      role: role.slug,
      role_name: role.name,
      rule_id: ruleId,
    })),
    grants: outcome.grants.map(({ projectId, object, role, limits, ruleId }) => ({
      project_id: projectId,
      project_name: namesOf(ruleId).project,
      object_type: object.type,
      object_id: object.id,
      object_name: namesOf(ruleId).object,
      role: role.slug,
      role_name: role.name,
      limits,
      rule_id: ruleId,
    })),
    rules: outcome.rules.map(({ ruleId, reason, value }) => ({
      rule_id: ruleId,
      matches: ['decides', 'outdone', 'members_only'].includes(reason),
      reason,
      value,
    })),
  };
}

/** Keeps manual roles; with incomplete groups, roles are only added. Runs in the caller's transaction. */
export async function applyRules(
  ctx: Context,
  user: { id: number; username: string },
  { provider, claims, hasAllGroups }: Pick<Person, 'provider' | 'claims' | 'hasAllGroups'>,
): Promise<void> {
  const outcome = evaluateRules(await listRules(ctx.db), provider, claims);
  if (!hasAllGroups) {
    ctx.log.warn(`${user.username} keeps all roles: ${provider} did not tell all their groups`);
  }
  // Lock order: users before projects.
  await syncAdministrator(ctx, user, { isWanted: outcome.administrator, mayRemove: hasAllGroups });
  const wanted = new Map([...outcome.roles].map(([id, { role }]) => [id, role]));
  await syncRoles(ctx, user, { wanted, mayRemove: hasAllGroups });
  await syncGrants(ctx, user, { wanted: outcome.grants, mayRemove: hasAllGroups });
}
