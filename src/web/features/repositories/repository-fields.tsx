import { Checkbox, Input, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '#shared/api/keys.ts';
import { statusHosts } from '#shared/git/repository-url.ts';
import { Autocomplete, Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { Segments } from '../../ui/page/segments.tsx';
import { keyQueries } from '../keys/keys.queries.ts';
import { ConnectionTest } from './connection-test.tsx';
import { hasHost, type RepositoryValues } from './repository-values.ts';
import { isPlainHttp, type UrlType, urlType, urlTypes, withUrlType } from './url-type.ts';

interface Props {
  projectId: number;
  form: UseFormReturnType<RepositoryValues>;
}

export function RepositoryFields({ projectId, form }: Props) {
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
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
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
