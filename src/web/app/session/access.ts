// The signed-in user, and what their role in the project allows.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
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

export function useMay(projectId: number | undefined, permission: ProjectRequirement): boolean {
  const { data } = useQuery({
    ...projectQueries.role(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const { admin } = useCurrentUser();
  return admin || (data !== undefined && can(data.permissions, permission));
}
