import { Autocomplete, Input, TextInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { Segments } from '../../ui/page/segments.tsx';
import { keyQueries } from '../keys/keys.queries.ts';
import { ConnectionTest } from './connection-test.tsx';
import type { RepositoryValues } from './repository-values.ts';
import { isPlainHttp, type UrlType, urlType, urlTypes, withUrlType } from './url-type.ts';

interface Props {
  projectId: number;
  form: UseFormReturnType<RepositoryValues>;
}

export function RepositoryFields({ projectId, form }: Props) {
  const { t } = useTranslation();
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
        required={type !== 'local'}
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
        {...form.getInputProps('ssh_key_id')}
      />
      <ConnectionTest projectId={projectId} form={form} onReached={reached} />
    </>
  );
}

function UrlInput({ form, type }: Pick<Props, 'form'> & { type: UrlType | null }) {
  const { t } = useTranslation();
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
