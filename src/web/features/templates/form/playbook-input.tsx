import { type ComboboxItem, type OptionsFilter } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { kindOf } from '#shared/apps.ts';
import { Autocomplete } from '../../../ui/forms/select.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { repositoryQueries } from '../../repositories/repositories.queries.ts';
import { filesWithin, isMissing } from './playbook-files.ts';
import type { FieldsProps } from './template-fields-props.ts';

interface Props extends Pick<FieldsProps, 'projectId' | 'form'> {
  label: string;
  placeholder: string;
  required: boolean;
}

/** Debounce of the request for the files of the repository. */
const pauseMs = 600;
const freshMs = 60_000;

/** The path of the playbook: suggests the files of the branch, and warns about a missing one. */
export function PlaybookInput({ projectId, form, ...props }: Props) {
  const { app, repository_id: id, git_branch: typedBranch, playbook } = form.getValues();
  const folder = kindOf(app) === 'terraform' ? '' : form.getValues().working_directory;
  const [branch] = useDebouncedValue(typedBranch.trim(), pauseMs);
  const typed = `${folder}\n${playbook}`;
  const [settled] = useDebouncedValue(typed, pauseMs);
  const { data, error } = useQuery({
    ...repositoryQueries.files(projectId, id ?? 0, { branch, app }),
    enabled: id !== null,
    staleTime: freshMs,
    retry: false,
  });
  const files = data && filesWithin(data, folder);
  return (
    <Autocomplete
      // Paths are longer than the input, and differ in their ends.
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...props}
      description={error && id !== null ? errorWords(error) : warning()}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={files?.playbooks ?? []}
      filter={offer}
      limit={100}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      classNames={{ input: 'mono', option: 'mono' }}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps('playbook')}
    />
  );

  function warning() {
    if (!data || !files || settled !== typed) return undefined;
    if (!isMissing(files, playbook) || !isMissing(data, playbook)) return undefined;
    return (
      <span className="flex gap-6 color-warning">
        <IconAlertTriangle style={{ marginTop: 1 }} size={14} aria-hidden="true" />
        {t('template.form.file_missing', { path: pathIn(folder, playbook) })}
      </span>
    );
  }
}

const pathIn = (folder: string, path: string): string =>
  [folder.trim().replace(/\/$/, ''), path.trim()].filter(Boolean).join('/');

/** No options for a complete path, because the list would cover the next field. */
const offer: OptionsFilter = ({ options, search, limit }) => {
  const wanted = search.trim().toLowerCase();
  const paths = options as ComboboxItem[];
  if (paths.some(({ value }) => value.toLowerCase() === wanted)) return [];
  return paths.filter(({ value }) => value.toLowerCase().includes(wanted)).slice(0, limit);
};
