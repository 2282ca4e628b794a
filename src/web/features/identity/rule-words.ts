// Describes rules in words.

import type { GroupRule, IdentityProvider } from '#shared/api/identity.ts';
import { isBuiltIn, roles } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import { roleName } from '../../lib/roles/role-name.ts';
import { compareTexts } from '../../ui/lists/sort.ts';

type Named = Pick<IdentityProvider, 'id' | 'name'>;

export function sourceName(providers: Named[] | undefined, source: string): string {
  if (source === 'any') return t('identity.source_any');
  const found = providers?.find(({ id }) => id === source);
  if (found) return found.name;
  return source === 'ldap' ? 'LDAP' : source;
}

/**
 * The providers that a rule can be for: any, the configured ones, and the one stored in the rule.
 */
export function sourceChoices(providers: Named[] = [], own = 'any') {
  const ids = new Set(['any', ...providers.map(({ id }) => id), own]);
  return [...ids].map((id) => ({ value: id, label: sourceName(providers, id) }));
}

type RuleOutcome = Pick<GroupRule, 'role' | 'role_name' | 'project_name' | 'object_name'>;

/** "Manager in Payments", "Manager on Deploy in Payments", or the administrator. */
export function gives({
  role,
  role_name: name,
  project_name,
  object_name: object,
}: RuleOutcome): string {
  if (role === null) return t('identity.administrator');
  const words = { role: roleName(role, name ?? role), project: project_name ?? '' };
  return object === null
    ? t('identity.member', words)
    : t('identity.granted', { ...words, object });
}

const rank = (role: string | null): number => (role !== null && isBuiltIn(role) ? roles[role] : 0);

/**
 * Administrators first, then by project, then the higher role first. The order of rules has no
 * effect on roles.
 */
export const inOrder = (rules: GroupRule[]): GroupRule[] =>
  rules.toSorted(
    (a, b) =>
      Number(b.administrator) - Number(a.administrator) ||
      compareTexts(a.project_name ?? '', b.project_name ?? '') ||
      rank(b.role) - rank(a.role) ||
      compareTexts(a.pattern, b.pattern),
  );
