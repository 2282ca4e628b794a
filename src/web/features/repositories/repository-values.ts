import type { Repository } from '#shared/api/repositories.ts';

export type RepositoryValues = {
  name: string;
  git_url: string;
  git_branch: string;
  ssh_key_id: number | null;
};

export const repositoryValues = (repository?: Repository): RepositoryValues => ({
  name: repository?.name ?? '',
  git_url: repository?.git_url ?? '',
  git_branch: repository?.git_branch ?? '',
  ssh_key_id: repository?.ssh_key_id ?? null,
});

export const repositoryBody = (values: RepositoryValues) => values;
