import { TextInput } from '@mantine/core';
import { newEnvironment } from '#shared/api/environments.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import {
  checkNames,
  environmentBody,
  type EnvironmentValues,
  environmentValues,
} from './environment-values.ts';
import { environmentResource } from './environments.queries.ts';
import { SecretRows } from './secret-rows.tsx';
import { VariablesEditor } from './variables-editor.tsx';

export const EnvironmentDialog = defineResourceDialog({
  resource: environmentResource,
  help: 'environment',
  size: 720,
  fields: 5,
  values: environmentValues,
  toBody: environmentBody,
  schema: newEnvironment,
  check: checkNames,
  Fields: EnvironmentFields,
});

function EnvironmentFields({ form }: FieldsProps<EnvironmentValues>) {
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
