import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useState } from 'react';
import { IconCircleCheck, IconPlugConnected } from '@tabler/icons-react';
import {
  type NewRepository,
  newRepository,
  type Repository,
  repositoryAccess,
  type RepositoryBranches,
} from '#shared/api/repositories.ts';
import type { Key } from '#shared/api/keys.ts';
import { statusHosts } from '#shared/git/repository-url.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { errorWords } from '../../lib/error-words.ts';
import { fieldErrorsOf, type FormFrame, validateWith } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import type { ProjectScope } from '../../resources/resource.ts';
import { Autocomplete, Select } from '../../ui/forms/select.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { Segments } from '../../ui/page/segments.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { keyQueries } from '../keys/keys.queries.ts';
import { listBranches, repositoryResource } from './repositories.queries.ts';
import { isPlainHttp, urlType, type UrlType, urlTypes, withUrlType } from './url-type.ts';
import classes from './connection-test.module.css';
import { codeInput } from '../../resources/code-input.ts';

const repositoryValues = (repository?: Repository) => ({
  name: repository?.name ?? '',
  git_url: repository?.git_url ?? '',
  git_branch: repository?.git_branch ?? '',
  ssh_key_id: repository?.ssh_key_id ?? null,
  with_submodules: repository?.with_submodules ?? true,
  status_host: repository?.status_host ?? '',
  status_key_id: repository?.status_key_id ?? null,
});
type RepositoryValues = ReturnType<typeof repositoryValues>;

/** The fields of commit statuses are hidden for folders, which have no host. */
const repositoryBody = (values: RepositoryValues): RepositoryValues =>
  hasHost(values) ? values : { ...values, status_host: '', status_key_id: null };

const hasHost = ({ git_url: url }: Pick<RepositoryValues, 'git_url'>): boolean =>
  !['local', 'file', null].includes(urlType(url));

export const RepositoryDialog = defineResourceDialog({
  resource: repositoryResource,
  help: 'repository',
  fields: 6,
  values: repositoryValues,
  // The schema refuses a body without a key before it is sent.
  toBody: (values) => repositoryBody(values) as NewRepository,
  schema: newRepository,
  Fields: RepositoryFields,
  useFrame: useDefaultBranch,
});

/**
 * Before the submit, fills an empty branch with the default branch of the repository, if the
 * repository is reachable.
 */
function useDefaultBranch(
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

interface Props {
  projectId: number;
  form: UseFormReturnType<RepositoryValues>;
}

function RepositoryFields({ projectId, form }: Props) {
  const { data: keys } = useQuery(keyQueries.list(projectId));
  const [branches, setBranches] = useState<string[]>([]);
  const type = urlType(form.getValues().git_url);
  const reached = (found: string[], head: string | null) => {
    setBranches(found);
    const { git_branch: branch, git_url: url } = form.getValues();
    if (branch === '' && head !== null && urlType(url) !== 'local') {
      form.setFieldValue('git_branch', head);
    }
  };
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <UrlInput form={form} type={type} />
      <Autocomplete
        label={t('repository.branch')}
        description={type === 'local' ? t('repository.branch_local') : t('repository.branch_hint')}
        placeholder={type === 'local' ? '' : t('repository.branch_default')}
        disabled={type === 'local'}
        data={branches}
        limit={100}
        spellCheck={false}
        {...form.getInputProps('git_branch')}
      />
      <IdSelect
        label={t('repository.key')}
        description={t('repository.key_hint')}
        placeholder={t('inventory.choose_key')}
        required
        items={keys}
        likely={keys && keysFor(type, keys)}
        {...form.getInputProps('ssh_key_id')}
      />
      <Checkbox
        label={t('repository.submodules')}
        description={t('repository.submodules_hint')}
        {...form.getInputProps('with_submodules', { type: 'checkbox' })}
      />
      {hasHost(form.getValues()) && <StatusFields form={form} keys={keys} />}
      <ConnectionTest projectId={projectId} form={form} onReached={reached} />
    </>
  );
}

function keysFor<Each extends Pick<Key, 'type'>>(type: UrlType | null, keys: Each[]): Each[] {
  if (type === null) return keys;
  const wanted = type === 'ssh' || type === 'git' ? 'ssh' : 'none';
  const found = keys.filter((key) => key.type === wanted);
  return found.length > 0 ? found : keys;
}

interface StatusProps extends Pick<Props, 'form'> {
  keys: Pick<Key, 'id' | 'name' | 'type'>[] | undefined;
}

/** The commit status API of the repository's host, and its token. */
function StatusFields({ form, keys }: StatusProps) {
  return (
    <>
      <Select
        label={t('repository.status_host')}
        description={t('repository.status_hint')}
        allowDeselect={false}
        data={(['', ...statusHosts] as const).map((value) => ({
          value,
          label: t(`repository.status_hosts.${value || 'none'}`),
        }))}
        {...form.getInputProps('status_host')}
      />
      {form.getValues().status_host !== '' && (
        <IdSelect
          label={t('repository.status_key')}
          description={t('repository.status_key_hint')}
          required
          items={keys?.filter(({ type }) => type === 'login_password')}
          nothingFoundMessage={t('integration.auth.no_key')}
          {...form.getInputProps('status_key_id')}
        />
      )}
    </>
  );
}

function UrlInput({ form, type }: Pick<Props, 'form'> & { type: UrlType | null }) {
  const choose = (wanted: string) => {
    const known = urlTypes.find((one) => one === wanted);
    if (known) form.setFieldValue('git_url', withUrlType(form.getValues().git_url, known));
  };
  return (
    <div>
      <TextInput
        label={t('repository.url')}
        required
        {...codeInput}
        placeholder="git@example.com:team/playbooks.git"
        {...(isPlainHttp(form.getValues().git_url) && {
          description: t('repository.http_warning'),
        })}
        {...form.getInputProps('git_url')}
      />
      <Input.Wrapper mt={6}>
        <Segments
          fullWidth
          aria-label={t('repository.url_type')}
          data={urlTypes.map((value) => ({ value, label: t(`repository.type.${value}`) }))}
          value={type ?? ''}
          onChange={choose}
        />
      </Input.Wrapper>
    </div>
  );
}

interface ConnectionTestProps {
  projectId: number;
  form: UseFormReturnType<RepositoryValues>;
  onReached: (branches: string[], head: string | null) => void;
}

/** Tests the connection with the unsaved values of the form. */
function ConnectionTest({ projectId, form, onReached }: ConnectionTestProps) {
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
