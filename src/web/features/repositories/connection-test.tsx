import { Button } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { IconCircleCheck, IconPlugConnected } from '@tabler/icons-react';
import { repositoryAccess } from '#shared/api/repositories.ts';
import { errorWords } from '../../lib/error-words.ts';
import { fieldErrorsOf, validateWith } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { Failure } from '../../ui/feedback/failure.tsx';
import { listBranches } from './repositories.queries.ts';
import classes from './connection-test.module.css';
import type { RepositoryValues } from './repository-values.ts';

interface Props {
  projectId: number;
  form: UseFormReturnType<RepositoryValues>;
  onReached: (branches: string[], head: string | null) => void;
}

/** Tests the connection with the unsaved values of the form. */
export function ConnectionTest({ projectId, form, onReached }: Props) {
  const look = useMutation(listBranches());
  /** Returns whether there are errors. */
  const showErrors = (errors: FormErrors): boolean => {
    const [wrong] = Object.keys(errors);
    if (wrong === undefined) return false;
    form.setErrors({ ...form.errors, ...errors });
    form.getInputNode(wrong)?.focus();
    return true;
  };
  const test = () => {
    const { git_url, ssh_key_id } = form.getValues();
    const errors = validateWith(repositoryAccess, { git_url, ssh_key_id });
    look.reset();
    if (showErrors(errors)) return;
    const body = { git_url, ssh_key_id: ssh_key_id ?? 0 };
    look.mutate(
      { params: { project_id: projectId }, body },
      {
        onSuccess: ({ branches, head }) => onReached(branches, head),
        onError: (error) => showErrors(fieldErrorsOf(error)),
      },
    );
  };
  const isShown = Object.keys(fieldErrorsOf(look.error)).length > 0;
  const failure = look.error && !isShown ? errorWords(look.error) : look.data?.failure;
  return (
    <div className={`column items-start gap-8 ${classes.test}`}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlugConnected size={14} />}
        loading={look.isPending}
        onClick={test}
      >
        {t('repository.test')}
      </Button>
      <div aria-live="polite">
        {look.data?.failure === null && <Reached branches={look.data.branches} />}
        {failure && (
          <>
            <p className="pb-6 weight-500 color-danger">{t('repository.not_reached')}</p>
            <div className="break pre-wrap">
              <Failure message={failure} />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

function Reached({ branches }: { branches: string[] }) {
  return (
    <p className="row gap-6 weight-500 color-success">
      <IconCircleCheck size={16} aria-hidden="true" />
      {branches.length > 0
        ? t('repository.reached', { count: branches.length })
        : t('repository.reached_empty')}
    </p>
  );
}
