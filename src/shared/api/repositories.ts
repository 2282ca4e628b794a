import { z } from 'zod';
import { crossCheck } from '../cross-check.ts';
import {
  hasPassword,
  readStatusPlace,
  repositoryType,
  statusHosts,
} from '../git/repository-url.ts';
import { storedFields } from '../stored-fields.ts';
import { endpoint } from './endpoint.ts';
import {
  gitReference,
  id,
  initially,
  line,
  optional,
  optionalId,
  using,
  optionalLine,
  requiredId,
} from '../fields.ts';
import { sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';

/** The access to a repository, saved or not. */
export const repositoryAccess = z.object({
  git_url: line(2048, 'repository.url_required')
    .refine((url) => url === '' || repositoryType(url) !== null, {
      error: 'repository.url_incorrect',
    })
    .refine((url) => !hasPassword(url), { error: 'repository.url_password' }),
  ssh_key_id: using('key.use', requiredId('repository.key_required')),
});
export type RepositoryAccess = z.output<typeof repositoryAccess>;

export const repositoryBranches = z.object({
  branches: z.array(z.string()),
  /** The default branch. */
  head: z.string().nullable(),
  /** Git's error message; null: the repository is reachable. */
  failure: z.string().nullable(),
});
export type RepositoryBranches = z.output<typeof repositoryBranches>;

/** The files from which a template selects its playbook. */
export const repositoryFiles = z.object({
  /** Likely playbooks, folders of Terraform or scripts, depending on the app. */
  playbooks: z.array(z.string()),
  /** Other files, or folders for Terraform. A `/` at the end marks submodules and links, whose content is not listed. */
  others: z.array(z.string()),
  /** Whether all paths are listed. */
  complete: z.boolean(),
});
export type RepositoryFiles = z.output<typeof repositoryFiles>;

const fields = repositoryAccess.extend({
  name: line(255, 'name.required'),
  git_branch: initially(gitReference(255), ''),
  /** Whether submodules are checked out. */
  with_submodules: initially(z.boolean(), true),
  /** The software of the git host that shows commit statuses; empty: none. Absent: unchanged, also the key. */
  status_host: optional(z.enum(['', ...statusHosts])),
  /** A key of the type "login with password" whose password is the token for the git host. */
  status_key_id: using('key.use', optionalId).optional(),
});

export const repository = z.object({
  id,
  project_id: id,
  ...storedFields(fields.shape),
  status_host: z.enum(['', ...statusHosts]),
});
export type Repository = z.output<typeof repository>;

export const newRepository = crossCheck(fields, (check) => {
  check(['git_branch'], ({ git_branch: branch, git_url: url }, refuse) => {
    const isLocal = typeof url === 'string' && repositoryType(url) === 'local';
    if (branch === '' && !isLocal) refuse('git_branch', 'repository.branch_required');
  });
  check(['status_host', 'status_key_id'], ({ status_host: host, status_key_id: key }, refuse) => {
    if (host && key == null) refuse('status_key_id', 'repository.status_key_required');
  });
  check(['status_host', 'git_url'], ({ status_host: host, git_url: url }, refuse) => {
    if (host && readStatusPlace(url) === null) refuse('status_host', 'repository.status_url');
  });
});
export type NewRepository = z.output<typeof newRepository>;

export const repositories = {
  ...resourceEndpoints('/api/project/:project_id/repositories', 'repository', {
    permission: 'repository.edit',
    summaries: {
      list: 'The repositories of the project',
      create: 'Add a repository',
      one: 'One repository',
      update: 'Change a repository',
      remove: 'Delete a repository that nothing uses',
    },
    query: sortedQuery(['name', 'git_url', 'ssh_key']),
    body: newRepository,
    reply: repository,
  }),
  branches: endpoint.post('/api/project/:project_id/repositories/branches', {
    permission: 'repository.edit',
    summary: 'Reach a repository with a key of the project, and list its branches',
    body: repositoryAccess,
    reply: repositoryBranches,
    refuses: ['request.too_slow', 'request.too_many_looks'],
  }),
  branchesOf: endpoint.get('/api/project/:project_id/repositories/:repository_id/branches', {
    permission: 'template.run',
    token: 'run',
    readsAll: true,
    summary: 'The branches of a repository, asked of the repository with its key',
    reply: z.array(z.string()),
    refuses: ['repository.unreachable', 'request.too_slow', 'request.too_many_looks'],
  }),
  files: endpoint.get('/api/project/:project_id/repositories/:repository_id/files', {
    permission: 'repository.use',
    token: 'run',
    readsAll: true,
    summary: 'The files of a branch that an app could run, and the others',
    query: z.object({
      /** A branch, a tag or a commit; empty: the repository's. */
      branch: gitReference(255).optional(),
      app: optionalLine(64).optional(),
    }),
    reply: repositoryFiles,
    refuses: ['repository.unreachable', 'request.too_slow', 'request.too_many_looks'],
  }),
  refs: refsEndpoint('/api/project/:project_id/repositories/:repository_id', 'a repository'),
};
