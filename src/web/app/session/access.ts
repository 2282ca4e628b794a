// The signed-in user, and what their role in the project allows.

import { useSuspenseQuery } from '@tanstack/react-query';
import { can, type ProjectRequirement, roles } from '#shared/permissions.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { userQueries } from '../../features/users/users.queries.ts';

export const useCurrentUser = () => useSuspenseQuery(userQueries.current()).data;

export function useAccess(projectId: number): (permission: ProjectRequirement) => boolean {
  const user = useCurrentUser();
  const { data } = useSuspenseQuery(projectQueries.role(projectId));
  const mask = user.admin ? roles.owner : data.permissions;
  return (permission) => can(mask, permission);
}
