import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { repositoryAccess, type RepositoryBranches } from '#shared/api/repositories.ts';
import { errorWords } from '../../lib/error-words.ts';
import type { FormFrame } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import type { ProjectScope } from '../../resources/resource.ts';
import { listBranches } from './repositories.queries.ts';
import type { RepositoryValues } from './repository-values.ts';
import { urlType } from './url-type.ts';

/**
 * Before the submit, fills an empty branch with the default branch of the repository, if the
 * repository is reachable.
 */
export function useDefaultBranch(
  { projectId }: ProjectScope,
  form: UseFormReturnType<RepositoryValues>,
  frame: FormFrame,
): FormFrame {
  const look = useMutation(listBranches());
  const reasonOf = ({ failure, branches }: RepositoryBranches): string => {
    if (failure !== null) return t('repository.branch_not_asked', { reason: failure });
    return t(branches.length > 0 ? 'repository.branch_unclear' : 'repository.branch_of_empty');
  };
  /** Returns why the branch stays empty; null on success, or if other inputs are missing. */
  const fill = async (): Promise<string | null> => {
    const { git_branch, git_url, ssh_key_id } = form.getValues();
    const { data: body } = repositoryAccess.safeParse({ git_url, ssh_key_id });
    if (git_branch !== '' || !body || urlType(git_url) === 'local') return null;
    try {
      const seen = await look.mutateAsync({ params: { project_id: projectId }, body });
      if (seen.head === null) return reasonOf(seen);
      form.setFieldValue('git_branch', seen.head);
      return null;
    } catch (error) {
      return t('repository.branch_not_asked', { reason: errorWords(error) });
    }
  };
  const submit = async (): Promise<void> => {
    const reason = await fill();
    frame.onSubmit();
    if (form.getValues().git_branch === '') form.setFieldError('git_branch', reason);
  };
  return {
    ...frame,
    onSubmit: (event) => {
      event?.preventDefault();
      void submit();
    },
    saving: frame.saving || look.isPending,
  };
}
