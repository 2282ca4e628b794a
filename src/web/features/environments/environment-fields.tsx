import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from '../../lib/i18n.ts';
import type { EnvironmentValues } from './environment-values.ts';
import { SecretRows } from './secret-rows.tsx';
import { VariablesEditor } from './variables-editor.tsx';

export function EnvironmentFields({ form }: { form: UseFormReturnType<EnvironmentValues> }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <VariablesEditor
        kind="json"
        label={t('environment.extra_variables')}
        description={t('environment.extra_variables_hint')}
        {...form.getInputProps('json')}
      />
      <VariablesEditor
        kind="env"
        label={t('environment.process_variables')}
        description={t('environment.process_variables_hint')}
        {...form.getInputProps('env')}
      />
      <SecretRows form={form} />
    </>
  );
}
