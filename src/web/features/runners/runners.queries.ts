import { runners } from '#shared/api/runners.ts';
import { query, send } from '../../lib/query.ts';

const every = 5000;
const refresh = [runners.list];

export const runnerQueries = {
  list: () => ({ ...query(runners.list), refetchInterval: every }),
};
export const createRunner = () => send(runners.create, { refresh });
export const renewRunnerToken = () => send(runners.renewToken, { refresh });
export const updateRunner = () => send(runners.update, { refresh });
export const removeRunner = () => send(runners.remove, { refresh });
