// The rows of a list of roles: first the built-in ones, then one's own.

import type { ListedRole } from '#shared/api/roles.ts';
import { builtInRights, type Right, roleNames } from '#shared/rights.ts';
import { t } from '../i18n.ts';
import type { May } from './may.ts';

export interface RoleRow {
  /** Below zero for a built-in role. */
  id: number;
  slug: string;
  name: string;
  description: string;
  rights: readonly Right[];
  owner: 'built_in' | 'installation' | 'project';
  /** Null: not counted. */
  members: number | null;
}

/** `countOf` returns how many members have a role; null: not counted. */
export const builtInRows = (countOf: (slug: string) => number | null = () => null): RoleRow[] =>
  roleNames.map((slug, index) => ({
    id: -1 - index,
    slug,
    name: t(`role.${slug}`),
    description: t(`team.may.${slug}`),
    rights: [...builtInRights[slug]],
    owner: 'built_in',
    members: countOf(slug),
  }));

export const ownRows = (roles: readonly ListedRole[]): RoleRow[] =>
  roles.map(({ project_id: projectId, ...role }) => ({
    ...role,
    owner: projectId === null ? 'installation' : 'project',
  }));

/** Whether the user has all rights of a role, so that they may give and change it. */
export const hasAll = (may: May, rights: readonly Right[]): boolean =>
  rights.every((right) => may(right));
