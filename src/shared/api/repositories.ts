import { z } from 'zod';
import { hasPassword, repositoryType } from '../repository-url.ts';
import { endpoint } from './endpoint.ts';
import { gitReference, id, idParam, initially, line, requiredId } from '../fields.ts';
import { sortedQuery } from './page.ts';
import { inProject } from './projects.ts';
import { refsEndpoint } from './references.ts';

export const repository = z.object({
  id,
  project_id: id,
  name: z.string(),
  git_url: z.string(),
  git_branch: z.string(),
  ssh_key_id: id,
});
export type Repository = z.output<typeof repository>;

/** What is needed to reach a repository, saved or not. */
export const repositoryAccess = z.object({
  git_url: line(2048, 'repository.url_required')
    .refine((url) => url === '' || repositoryType(url) !== null, {
      error: 'repository.url_incorrect',
    })
    .refine((url) => !hasPassword(url), { error: 'repository.url_password' }),
  ssh_key_id: requiredId('repository.key_required'),
});
export type RepositoryAccess = z.output<typeof repositoryAccess>;

export const repositoryBranches = z.object({
  branches: z.array(z.string()),
  /** The default branch of the repository. */
  head: z.string().nullable(),
  /** The message of git why the repository could not be reached; null when it could. */
  failure: z.string().nullable(),
});
export type RepositoryBranches = z.output<typeof repositoryBranches>;

const branchAndUrl = z.object({ git_branch: z.string(), git_url: z.string() });

export const newRepository = repositoryAccess
  .extend({
    name: line(255, 'name.required'),
    git_branch: initially(gitReference(255), ''),
  })
  .refine(({ git_branch, git_url }) => git_branch !== '' || repositoryType(git_url) === 'local', {
    path: ['git_branch'],
    error: 'repository.branch_required',
    // Reported together with the other missing fields.
    when: ({ value }) => branchAndUrl.safeParse(value).success,
  });
export type NewRepository = z.output<typeof newRepository>;

const params = inProject.extend({ repository_id: idParam });

export const repositories = {
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/repositories',
    permission: 'member',
    summary: 'The repositories of the project',
    params: inProject,
    query: sortedQuery(['name', 'git_url', 'ssh_key']),
    reply: z.array(repository),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/repositories',
    permission: 'manage_resources',
    summary: 'Add a repository',
    params: inProject,
    body: newRepository,
    reply: repository,
    status: 201,
  }),
  branches: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/repositories/branches',
    permission: 'manage_resources',
    summary: 'Reach a repository with a key of the project, and list its branches',
    params: inProject,
    body: repositoryAccess,
    reply: repositoryBranches,
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/repositories/:repository_id',
    permission: 'member',
    summary: 'One repository',
    params,
    reply: repository,
    versioned: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/project/:project_id/repositories/:repository_id',
    permission: 'manage_resources',
    summary: 'Change a repository',
    params,
    body: newRepository,
    versioned: true,
  }),
  branchesOf: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/repositories/:repository_id/branches',
    permission: 'run_tasks',
    token: 'run',
    summary: 'The branches of a repository, asked of the repository with its key',
    params,
    reply: z.array(z.string()),
  }),
  refs: refsEndpoint(
    '/api/project/:project_id/repositories/:repository_id',
    params,
    'a repository',
  ),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/project/:project_id/repositories/:repository_id',
    permission: 'manage_resources',
    summary: 'Delete a repository that nothing uses',
    params,
  }),
};
