// The signed-in user, and what they may do in the project and with its objects.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ReplyOf } from '#shared/api/endpoint.ts';
import type { projects } from '#shared/api/projects.ts';
import type { Right } from '#shared/rights.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { userQueries } from '../../features/users/users.queries.ts';
import type { May, RightPlace } from '../../lib/roles/may.ts';

export const useCurrentUser = () => useSuspenseQuery(userQueries.current()).data;

export function useAccess(projectId: number): May {
  const { admin } = useCurrentUser();
  const { data } = useSuspenseQuery(projectQueries.rights(projectId));
  return useCallback((right, place) => admin || hasRight(data, right, place), [admin, data]);
}

type Held = Pick<ReplyOf<typeof projects.rights>, 'rights' | 'objects'>;

function hasRight({ rights, objects }: Held, right: Right, place?: RightPlace): boolean {
  if (place === undefined) return rights.includes(right);
  if (place === 'somewhere')
    return [{ rights }, ...objects].some((one) => one.rights.includes(right));
  // For objects that are not listed the role alone decides.
  const listed = objects.find(
    ({ object_type: type, object_id: id }) => type === place.type && id === place.id,
  );
  return (listed?.rights ?? rights).includes(right);
}

/** What the screen of the settings consists of. */
export const settingsRights: Right[] = [
  'project.edit',
  'project.delete',
  'backup.read',
  'runner.edit',
];

/** What the user may do in a project whose rights may not be known yet; nothing without a project. */
export function useAccessIfOpen(projectId: number | undefined): May {
  const { data } = useQuery({
    ...projectQueries.rights(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const { admin } = useCurrentUser();
  return (right, place) => admin || (data !== undefined && hasRight(data, right, place));
}

/** Whether the user has one of the rights in the project. */
export function useMay(projectId: number | undefined, ...rights: Right[]): boolean {
  const may = useAccessIfOpen(projectId);
  return rights.some((right) => may(right));
}
