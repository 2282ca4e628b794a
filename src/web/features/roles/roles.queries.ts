import { useQuery } from '@tanstack/react-query';
import { installationRoles, projectRoles } from '#shared/api/roles.ts';
import type { Right } from '#shared/rights.ts';
import type { May } from '../../lib/roles/may.ts';
import { builtInRows, ownRows, type RoleRow } from '../../lib/roles/role-rows.ts';
import { query } from '../../lib/query.ts';
import { defineResource, type NamedRow, type ProjectScope } from '../../resources/resource.ts';

export interface RoleScope {
  /** Nobody gives a role more rights than their own. */
  may: May;
  /** What a new role begins with. */
  copied: { name: string; description: string; rights: readonly Right[] } | null;
}

export const projectRoleResource = defineResource<
  typeof projectRoles,
  NamedRow,
  RoleScope & ProjectScope
>({ noun: 'role', endpoints: projectRoles });

export const installationRoleResource = defineResource<
  typeof installationRoles,
  NamedRow,
  RoleScope
>({
  noun: 'role',
  endpoints: installationRoles,
  // The lists of projects contain those of the installation.
  alsoRefresh: [projectRoles.list],
  params: () => ({}),
});

export const roleQueries = {
  /** Those of the project and of the installation, without the built-in ones. */
  ofProject: (projectId: number) => query(projectRoles.list, { params: { project_id: projectId } }),
  /** Only administrators see this list. */
  ofInstallation: () => query(installationRoles.list),
};

/**
 * The roles that members, group rules and approvals of a project can have; without a project only
 * the built-in ones.
 */
export function useRoleChoices(projectId: number | null): RoleRow[] {
  const { data = [] } = useQuery({
    ...roleQueries.ofProject(projectId ?? 0),
    enabled: projectId !== null,
  });
  return [...builtInRows(), ...ownRows(data)];
}
