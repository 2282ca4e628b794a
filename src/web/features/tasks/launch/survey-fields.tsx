import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { canonicalSurveyType } from '#shared/survey/survey-types.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { t } from '../../../lib/i18n.ts';
import { useOnlyChoice } from '../../../ui/forms/only-choice.ts';
import type { Answers } from '../../../lib/survey/survey.ts';

type Path = `answers.${string}`;

interface AnswersForm {
  getInputProps: (path: Path, options?: { type: 'checkbox' }) => object;
  getValues: () => { answers: Answers };
  setFieldValue: (path: Path, value: string) => void;
}

interface Props {
  variables: SurveyVariable[];
  form: AnswersForm;
}

export function SurveyFields({ variables, form }: Props) {
  return variables.map((variable) => (
    <SurveyField key={variable.name} variable={variable} form={form} />
  ));
}

function SurveyField({ variable, form }: { variable: SurveyVariable } & Pick<Props, 'form'>) {
  const { name, title, description, type, required, values } = variable;
  const path = `answers.${name}` as const;
  const common = { label: title, description: description || undefined, required };
  switch (canonicalSurveyType(type)) {
    case 'boolean':
      return (
        <Switch
          label={title}
          description={description || undefined}
          {...form.getInputProps(path, { type: 'checkbox' })}
        />
      );
    case 'enum':
      return (
        <EnumField
          {...common}
          data={(values ?? []).map((option) => ({ value: option.value, label: option.name }))}
          {...form.getInputProps(path)}
          value={form.getValues().answers[name] ? String(form.getValues().answers[name]) : null}
          onChange={(value) => form.setFieldValue(path, value ?? '')}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...common}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('new_task.show_secret') }}
          {...form.getInputProps(path)}
        />
      );
    case 'text':
      return (
        <Textarea {...common} autosize minRows={3} maxRows={10} {...form.getInputProps(path)} />
      );
    case 'int':
      return (
        <TextInput
          {...common}
          description={[description, t('new_task.int_hint')].filter(Boolean).join(' · ')}
          inputMode="numeric"
          {...form.getInputProps(path)}
        />
      );
    case '':
      return <TextInput {...common} {...form.getInputProps(path)} />;
  }
}

interface EnumProps {
  label: string;
  description: string | undefined;
  required: boolean;
  data: { value: string; label: string }[];
  value: string | null;
  onChange: (value: string | null) => void;
}

function EnumField({ data, value, required, onChange, ...props }: EnumProps) {
  useOnlyChoice({
    ids: data.map((option) => option.value),
    value,
    isWanted: required,
    onChoose: onChange,
  });
  return (
    <Select
      placeholder={t('new_task.choose')}
      clearable={!required}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      required={required}
      data={data}
      value={value}
      onChange={onChange}
      {...props}
    />
  );
}
