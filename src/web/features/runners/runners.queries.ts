import { useQuery } from '@tanstack/react-query';
import { runners } from '#shared/api/runners.ts';
import { query, send } from '../../lib/query.ts';
import { userQueries } from '../users/users.queries.ts';

const every = 5000;
const refresh = [runners.list];

export const runnerQueries = {
  list: () => ({ ...query(runners.list), refetchInterval: every }),
};
export const createRunner = () => send(runners.create, { refresh });
export const renewRunnerToken = () => send(runners.renewToken, { refresh });
export const updateRunner = () => send(runners.update, { refresh });
export const removeRunner = () => send(runners.remove, { refresh });

/** The tags of the servers; none for people who may not see these. */
export function useKnownTags(): string[] {
  const { data: user } = useQuery(userQueries.current());
  const { data: servers = [] } = useQuery({
    ...query(runners.list),
    enabled: user?.admin === true,
  });
  return [...new Set(servers.flatMap(({ tags }) => tags))].toSorted();
}
