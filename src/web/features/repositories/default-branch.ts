import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { listBranches } from './repositories.queries.ts';
import type { RepositoryValues } from './repository-values.ts';
import { urlType } from './url-type.ts';

/** Fills an empty branch with the default branch of the repository, if the repository answers. */
export function useDefaultBranch(projectId: number, form: UseFormReturnType<RepositoryValues>) {
  const look = useMutation(listBranches());
  const fill = async (): Promise<void> => {
    const { git_branch, git_url, ssh_key_id } = form.getValues();
    const type = urlType(git_url);
    if (git_branch !== '' || type === null || type === 'local' || ssh_key_id === null) return;
    const asked = { params: { project_id: projectId }, body: { git_url, ssh_key_id } };
    // The form names a repository that cannot be reached as one whose branch is missing.
    const seen = await look.mutateAsync(asked).catch(() => null);
    if (seen?.head) form.setFieldValue('git_branch', seen.head);
  };
  return { fill, isAsking: look.isPending };
}
