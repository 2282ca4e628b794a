import { Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { canonicalSurveyType } from '#shared/survey/survey-types.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { Select } from '../../../ui/forms/select.ts';
import { t } from '../../../lib/i18n.ts';

export type VariableValues = Omit<SurveyVariable, 'values'> & {
  values: { name: string; value: string }[];
};

/** The input for the default answer; a secret has none. */
export function VariableDefault({ form }: { form: UseFormReturnType<VariableValues> }) {
  const { type, values, default_value: text } = form.getValues();
  const label = t('survey.default');
  const input = form.getInputProps('default_value');
  const set = (value: string) => form.setFieldValue('default_value', value);
  switch (canonicalSurveyType(type)) {
    case 'secret':
      return null;
    case 'boolean':
      return (
        <Switch
          label={t('survey.default_on')}
          checked={text === 'true'}
          onChange={(event) => set(event.currentTarget.checked ? 'true' : '')}
        />
      );
    case 'enum':
      return (
        <Select
          {...input}
          label={label}
          placeholder={t('template.form.none')}
          data={optionsOf(values)}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          value={text || null}
          onChange={(value) => set(value ?? '')}
        />
      );
    case 'text':
      return <Textarea {...input} label={label} autosize minRows={2} maxRows={6} />;
    case 'int':
      return <TextInput {...input} label={label} inputMode="numeric" />;
    case '':
      return <TextInput {...input} label={label} />;
  }
}

/** The options without empty and duplicate values, which the select refuses. */
function optionsOf(values: VariableValues['values']) {
  const usable = values.filter(
    ({ value }, index) =>
      value !== '' && values.findIndex((other) => other.value === value) === index,
  );
  return usable.map(({ name, value }) => ({ value, label: name || value }));
}
