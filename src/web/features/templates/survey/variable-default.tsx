import { Switch, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { canonicalSurveyType } from '#shared/survey/survey-types.ts';
import { Select } from '../../../ui/forms/select.ts';
import { t } from '../../../lib/i18n.ts';
import { distinctValues } from './preview-variables.ts';
import { inputOf, type VariableProps } from './variable-props.ts';

/** The input for the default answer; a secret has none. */
export function VariableDefault(props: VariableProps) {
  const { type, values, default_value: text } = props.variable;
  const { error, 'data-path': path } = inputOf(props, 'default_value');
  const set = (value: string) => props.onChange({ default_value: value }, path);
  const input = { label: t('survey.default'), error, 'data-path': path };
  const textInput = {
    ...input,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  };
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
          placeholder={t('template.form.none')}
          data={distinctValues(values).map(({ name, value }) => ({ value, label: name || value }))}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          value={text || null}
          onChange={(value) => set(value ?? '')}
        />
      );
    case 'text':
      return <Textarea {...textInput} autosize minRows={2} maxRows={6} />;
    case 'int':
      return <TextInput {...textInput} inputMode="numeric" />;
    case '':
      return <TextInput {...textInput} />;
  }
}
