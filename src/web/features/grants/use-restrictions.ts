import { useQuery } from '@tanstack/react-query';
import type { Restriction } from '#shared/api/grants.ts';
import { projects } from '#shared/api/projects.ts';
import { query } from '../../lib/query.ts';
import { grantQueries } from './grants.queries.ts';

/** The restricted objects of which the user may know, which are asked for only where something is restricted. */
export function useRestrictions(projectId: number, isNeeded = true): Restriction[] {
  const rights = useQuery(query(projects.rights, { params: { project_id: projectId } }));
  const isRestricted = rights.data?.restricted ?? false;
  const { data = [] } = useQuery({
    ...grantQueries.restrictions(projectId),
    enabled: isNeeded && isRestricted,
  });
  return isRestricted ? data : [];
}
