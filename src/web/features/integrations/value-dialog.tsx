import { TextInput } from '@mantine/core';
import { branchOption, newExtractValue, variableTypes } from '#shared/api/matchers.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import { valueResource } from './integrations.queries.ts';
import { PlaceFields } from './place-fields.tsx';
import { valueBody, type ValueValues, valueValues } from './rule-values.ts';

export const ValueDialog = defineResourceDialog({
  resource: valueResource,
  help: 'integration',
  size: 450,
  fields: 6,
  values: valueValues,
  toBody: valueBody,
  schema: newExtractValue,
  Fields: ValueFields,
});

function ValueFields({ form }: FieldsProps<ValueValues>) {
  const {
    value_source: source,
    body_data_type: bodyType,
    variable_type: target,
  } = form.getValues();
  const chooseTarget = (chosen: string | null) => {
    const type = variableTypes.find((one) => one === chosen) ?? 'environment';
    form.setValues({ variable_type: type, variable: type === 'task' ? branchOption : '' });
  };
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <PlaceFields
        source={source}
        bodyType={bodyType}
        sourceLabel={t('extract_value.source')}
        bodyTypeLabel={t('extract_value.body_type')}
        sourceInput={form.getInputProps('value_source')}
        bodyTypeInput={form.getInputProps('body_data_type')}
        keyInput={form.getInputProps('key')}
      />
      <Select
        label={t('extract_value.target')}
        allowDeselect={false}
        data={variableTypes.map((value) => ({ value, label: t(`extract_value.targets.${value}`) }))}
        {...(target === 'task' && { description: t('extract_value.branch_hint') })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('variable_type')}
        onChange={chooseTarget}
      />
      {target === 'environment' && (
        <TextInput
          label={t('extract_value.variable')}
          required
          description={t('extract_value.variable_hint')}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('variable')}
        />
      )}
    </>
  );
}
