// What somebody may do with an object and why, in short words.

import type { PersonAccess } from '#shared/api/grants.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import type { Right } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import { roleName } from '../../lib/roles/role-name.ts';

type Ability = 'log' | 'read' | 'use' | 'run' | 'edit' | 'give';

/** In the order in which they are said. */
const abilities: { ability: Ability; isGivenBy: (right: Right, type: GrantedType) => boolean }[] = [
  { ability: 'log', isGivenBy: (right) => right === 'task.log' },
  { ability: 'read', isGivenBy: (right, type) => right === `${type}.read` },
  { ability: 'use', isGivenBy: (right, type) => right === `${type}.use` },
  {
    ability: 'run',
    isGivenBy: (right, type) =>
      right === `${type}.run` || (type === 'view' && right === 'template.run'),
  },
  { ability: 'edit', isGivenBy: (right, type) => right === `${type}.edit` },
  { ability: 'give', isGivenBy: (right) => right === 'grant.edit' },
];

/** At least that they see it. */
export function abilityWords(type: GrantedType, rights: readonly Right[]): string {
  const words = abilities
    .filter(({ isGivenBy }) => rights.some((right) => isGivenBy(right, type)))
    .map(({ ability }) => t(`access.can.${ability}`));
  return (words.length > 0 ? words : [t('access.can.see')]).join(', ');
}

export function sourceWords({ kind, role, role_name: name }: PersonAccess['through'][number]) {
  if (kind === 'administrator') return t('role.admin');
  const words = { role: roleName(role, name) };
  return kind === 'role' ? t('access.by_role', words) : t('access.by_grant', words);
}
