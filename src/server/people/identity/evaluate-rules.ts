// Evaluates the group rules for the claims of a user. A pure function.

import type { TriedClaims } from '#shared/api/identity.ts';
import { includesAll } from '#shared/rights.ts';
import type { FoundRole } from '../../db/rights/role-rights.ts';
import type { RuleGrant } from '../grants/rule-grants.ts';
import type { RuleWithRights } from './group-rules.store.ts';
import { textsAt } from './claims.ts';

export type Rule = Omit<RuleWithRights, 'project_name' | 'object_name'>;
type Reason = TriedClaims['rules'][number]['reason'];

export interface Outcome {
  administrator: boolean;
  /**
   * By project: the role of the first matching rule, unless a later one has all of its rights and more.
   */
  roles: Map<number, { role: FoundRole; ruleId: number }>;
  /** By every matching rule about an object. */
  grants: (RuleGrant & { ruleId: number })[];
  rules: { ruleId: number; reason: Reason; value: string }[];
}

export function evaluateRules(
  rules: Rule[],
  source: string,
  claims: Record<string, unknown>,
): Outcome {
  const outcome: Outcome = { administrator: false, roles: new Map(), grants: [], rules: [] };
  const matches = rules.map((rule) => ({ rule, ...compare(rule, source, claims) }));
  for (const { rule, value } of matches) {
    if (value === null) continue;
    if (rule.administrator) outcome.administrator = true;
    const { project_id: projectId, role: slug, role_id: id, role_name: name, rights } = rule;
    if (projectId === null || slug === null) continue;
    const given = { role: { slug, id, name: name ?? slug, rights }, ruleId: rule.id };
    const { object_type: type, object_id: objectId, limits } = rule;
    if (type !== null && objectId !== null) {
      outcome.grants.push({ ...given, projectId, object: { type, id: objectId }, limits });
      continue;
    }
    const best = outcome.roles.get(projectId)?.role;
    const isMore = !best || (includesAll(rights, best.rights) && rights.size > best.rights.size);
    if (isMore) outcome.roles.set(projectId, given);
  }
  outcome.rules = matches.map(({ rule, value, reason }) => ({
    ruleId: rule.id,
    value: value ?? '',
    reason: value === null ? reason : effectOf(outcome, rule),
  }));
  return outcome;
}

/** Of a rule that matches. */
function effectOf({ roles }: Outcome, rule: Rule): Reason {
  if (rule.administrator) return 'decides';
  const role = roles.get(rule.project_id ?? 0);
  if (rule.object_type !== null) return role ? 'decides' : 'members_only';
  return role?.ruleId === rule.id ? 'decides' : 'outdone';
}

function compare(
  { source: wanted, claim, pattern }: Rule,
  source: string,
  claims: Record<string, unknown>,
): { value: string | null; reason: Reason } {
  if (wanted !== 'any' && wanted !== source) return { value: null, reason: 'other_source' };
  const texts = textsAt(claims, claim);
  if (!texts) return { value: null, reason: 'no_claim' };
  const value = texts.find((text) => matchesPattern(text, pattern));
  return value === undefined ? { value: null, reason: 'no_match' } : { value, reason: 'decides' };
}

/** `*` matches any text. Runs in linear time. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return text === pattern;
  const tail = rest.pop() ?? '';
  if (text.length < head.length + tail.length) return false;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let at = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
