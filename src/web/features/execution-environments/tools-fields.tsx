import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '../../lib/i18n.ts';
import { codeInput } from '../../resources/code-input.ts';
import { Select } from '../../ui/forms/select.ts';
import type { ExecutionValues } from './execution-environment-values.ts';

const examples = {
  folder: '/opt/ansible-2.19',
  packages: 'ansible-core==2.19.*\nnetaddr',
  python: '3.12',
  index: 'https://pypi.example.com/simple',
};

interface Props {
  form: UseFormReturnType<ExecutionValues>;
}

/** A folder with programs, or the packages of a Python environment that the runner builds. */
export function ToolsFields({ form }: Props) {
  const { source } = form.getValues();
  return (
    <>
      <Select
        label={t('execution_environment.source.label')}
        allowDeselect={false}
        data={(['packages', 'folder'] as const).map((value) => ({
          value,
          label: t(`execution_environment.source.${value}`),
        }))}
        {...form.getInputProps('source')}
      />
      {source === 'folder' ? (
        <TextInput
          label={t('execution_environment.folder')}
          description={t('execution_environment.folder_hint')}
          placeholder={examples.folder}
          required
          {...codeInput}
          {...form.getInputProps('folder')}
          // Without a folder, the server asks for packages.
          error={form.errors['folder'] ?? form.errors['packages']}
        />
      ) : (
        <Packages form={form} />
      )}
    </>
  );
}

function Packages({ form }: Props) {
  return (
    <>
      <Textarea
        label={t('execution_environment.packages')}
        description={t('execution_environment.packages_hint')}
        placeholder={examples.packages}
        required
        autosize
        minRows={3}
        maxRows={12}
        {...codeInput}
        {...form.getInputProps('packages')}
      />
      <TextInput
        label={t('execution_environment.python')}
        description={t('execution_environment.python_hint')}
        placeholder={examples.python}
        {...codeInput}
        {...form.getInputProps('python')}
      />
      <TextInput
        label={t('execution_environment.index_url')}
        description={t('execution_environment.index_url_hint')}
        placeholder={examples.index}
        {...codeInput}
        {...form.getInputProps('index_url')}
      />
    </>
  );
}
