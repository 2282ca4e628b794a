import { hostKeys } from '#shared/api/host-keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { query, send } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const repositoryResource = defineResource({
  noun: 'repository',
  endpoints: repositories,
  refs: repositories.refs,
});

export const repositoryQueries = {
  list: (projectId: number) => query(repositories.list, { params: { project_id: projectId } }),
  files: (projectId: number, id: number, asked: { branch: string; app: string }) =>
    query(repositories.files, {
      params: { project_id: projectId, repository_id: id },
      query: asked,
    }),
};
/** The test pins the key of an SSH host at the first connection. */
export const listBranches = () => send(repositories.branches, { refresh: [hostKeys.list] });
