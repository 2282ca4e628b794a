// The signed-in user, and what their role in the project allows.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Right } from '#shared/rights.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { userQueries } from '../../features/users/users.queries.ts';
import type { May } from '../../lib/roles/may.ts';

export const useCurrentUser = () => useSuspenseQuery(userQueries.current()).data;

export function useAccess(projectId: number): May {
  const { admin } = useCurrentUser();
  const { data } = useSuspenseQuery(projectQueries.rights(projectId));
  const { rights } = data;
  return useCallback((right) => admin || rights.includes(right), [admin, rights]);
}

/** What the screen of the settings consists of. */
export const settingsRights: Right[] = [
  'project.edit',
  'project.delete',
  'backup.read',
  'runner.edit',
];

/** Whether the user has one of the rights in the project. */
export function useMay(projectId: number | undefined, ...rights: Right[]): boolean {
  const { data } = useQuery({
    ...projectQueries.rights(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const { admin } = useCurrentUser();
  return admin || rights.some((right) => data?.rights.includes(right));
}
