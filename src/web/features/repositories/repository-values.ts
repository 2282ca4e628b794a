import type { Repository } from '#shared/api/repositories.ts';
import { urlType } from './url-type.ts';

export const repositoryValues = (repository?: Repository) => ({
  name: repository?.name ?? '',
  git_url: repository?.git_url ?? '',
  git_branch: repository?.git_branch ?? '',
  ssh_key_id: repository?.ssh_key_id ?? null,
  with_submodules: repository?.with_submodules ?? true,
  status_host: repository?.status_host ?? '',
  status_key_id: repository?.status_key_id ?? null,
});
export type RepositoryValues = ReturnType<typeof repositoryValues>;

/** The fields of commit statuses are hidden for folders, which have no host. */
export const repositoryBody = (values: RepositoryValues): RepositoryValues =>
  hasHost(values) ? values : { ...values, status_host: '', status_key_id: null };

export const hasHost = ({ git_url: url }: Pick<RepositoryValues, 'git_url'>): boolean =>
  !['local', 'file', null].includes(urlType(url));
