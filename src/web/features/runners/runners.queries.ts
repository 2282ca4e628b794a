import { useQuery } from '@tanstack/react-query';
import {
  projectRunners,
  runners,
  type newRunner,
  type Runner,
  type runnerChange,
} from '#shared/api/runners.ts';
import type { z } from 'zod';
import { request } from '../../lib/api.ts';
import { query } from '../../lib/query.ts';
import { userQueries } from '../users/users.queries.ts';

const every = 5000;
const meta = { refresh: [runners.list.path, projectRunners.list.path] };

/** The path of a project runner is below its project, so that the owner may call it. */
type RunnerRef = Pick<Runner, 'id' | 'project_id'>;

/** `projectId` is null for all runners, which only administrators see. */
export const runnerQueries = {
  list: (projectId: number | null) => ({
    ...(projectId === null
      ? query(runners.list)
      : query(projectRunners.list, { params: { project_id: projectId } })),
    refetchInterval: every,
  }),
};

// A path without a project ignores it.
const paramsOf = ({ id, project_id }: RunnerRef) => ({ params: { runner_id: id, project_id } });

const endpointsOf = (projectId: number | null) => (projectId === null ? runners : projectRunners);

export const createRunner = (projectId: number | null) => ({
  mutationFn: (body: z.input<typeof newRunner>) =>
    request(endpointsOf(projectId).create, { params: { project_id: projectId }, body }),
  meta,
});

export const renewRunnerToken = () => ({
  mutationFn: (runner: RunnerRef) =>
    request(endpointsOf(runner.project_id).renewToken, paramsOf(runner)),
  meta,
});

interface Change {
  runner: RunnerRef;
  body: z.input<typeof runnerChange>;
}

export const updateRunner = () => ({
  mutationFn: ({ runner, body }: Change) =>
    request(endpointsOf(runner.project_id).update, { ...paramsOf(runner), body }),
  meta,
});

export const removeRunner = () => ({
  mutationFn: (runner: RunnerRef) =>
    request(endpointsOf(runner.project_id).remove, paramsOf(runner)),
  meta,
});

/**
 * The tags of the runners that run tasks of a project; null for the tags of all runners, which only
 * administrators see.
 */
export function useKnownTags(projectId: number | null = null): string[] {
  const { data: user } = useQuery(userQueries.current());
  const { data: tags = [] } = useQuery({
    ...(projectId === null
      ? query(runners.tags)
      : query(projectRunners.tags, { params: { project_id: projectId } })),
    enabled: projectId !== null || user?.admin === true,
  });
  return tags.map(({ tag }) => tag);
}
