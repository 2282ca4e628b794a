import { Button, Checkbox, Input, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import {
  canonicalSurveyType,
  canonicalSurveyTypes,
  surveyTargets,
} from '#shared/survey/survey-types.ts';
import { type SurveyVariable, surveyVariable } from '#shared/survey/survey-variable.ts';
import { Select } from '../../../ui/forms/select.ts';
import { fieldWords } from '../../../lib/error-words.ts';
import { useBodyForm } from '../../../lib/form.ts';
import { t } from '../../../lib/i18n.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { useFocusOfNew } from '../../../ui/forms/use-focus-of-new.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { VariableDefault, type VariableValues } from './survey-variable-default.tsx';
import classes from './template-fields.module.css';

interface Props {
  opened: boolean;
  /** The edited variable; null for a new one. */
  variable: SurveyVariable | null;
  /** The names of the other variables. */
  taken: string[];
  /** Whether an answer may become an environment variable; answers of approvals cannot. */
  hasTarget?: boolean;
  onSave: (variable: SurveyVariable) => void;
  onClose: () => void;
}

export function SurveyVariableDialog(props: Props) {
  const { opened, variable, onClose } = props;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={variable ? t('survey.edit') : t('survey.new')}
      size={480}
      help="survey"
    >
      <VariableForm {...props} />
    </FormDialog>
  );
}

const toBody = (values: VariableValues) => {
  const isEnum = values.type === 'enum';
  return { ...values, values: isEnum ? values.values : null };
};

function VariableForm({ variable, taken, hasTarget = false, onSave, onClose }: Props) {
  const { form, frame } = useBodyForm<VariableValues, ReturnType<typeof toBody>>({
    initial: {
      name: '',
      title: '',
      description: '',
      type: '',
      required: false,
      default_value: '',
      ...variable,
      values: variable?.values ?? [],
    },
    schema: surveyVariable,
    toBody,
    check: ({ name }) =>
      taken.includes(name.trim()) ? { name: fieldWords('survey.name_repeated') } : {},
    submit: async (body) => {
      onSave(surveyVariable.parse(body));
      onClose();
    },
  });
  const { type, target } = form.getValues();
  const changeType = (chosen: string | null) => {
    form.setFieldValue('type', chosen as SurveyVariable['type']);
    // The old default may be invalid for the new type.
    form.setFieldValue('default_value', '');
  };
  return (
    <Form {...frame} action={variable ? t('common.save') : t('common.create')}>
      <TextInput
        label={t('survey.title')}
        description={t('survey.title_hint')}
        required
        data-autofocus
        {...form.getInputProps('title')}
      />
      <TextInput
        label={t('survey.name')}
        description={t('survey.name_hint')}
        required
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t('survey.description')}
        autosize
        minRows={1}
        maxRows={4}
        {...form.getInputProps('description')}
      />
      <Select
        label={t('survey.type.label')}
        allowDeselect={false}
        data={canonicalSurveyTypes.map((value) => ({
          value,
          label: t(`survey.type.${value || 'string'}`),
        }))}
        {...form.getInputProps('type')}
        value={canonicalSurveyType(type)}
        onChange={changeType}
      />
      {hasTarget && (
        <Select
          label={t('survey.target.label')}
          allowDeselect={false}
          data={surveyTargets.map((value) => ({
            value,
            label: t(`survey.target.${value || 'variable'}`),
          }))}
          {...form.getInputProps('target')}
          value={target ?? ''}
        />
      )}
      {type === 'enum' && <Choices form={form} />}
      <VariableDefault form={form} />
      {type === 'boolean' ? null : (
        <Checkbox
          label={t('survey.required')}
          {...form.getInputProps('required', { type: 'checkbox' })}
        />
      )}
    </Form>
  );
}

function Choices({ form }: { form: UseFormReturnType<VariableValues> }) {
  const { values } = form.getValues();
  const list = useFocusOfNew<HTMLDivElement>(values.length);
  return (
    <Input.Wrapper
      ref={list}
      label={t('survey.values')}
      labelElement="div"
      error={form.errors['values']}
    >
      {values.map((_, index) => (
        <div key={index} className={`grid items-end gap-8 pt-6 ${classes.choice}`}>
          <TextInput
            {...labelled(index, t('survey.value_name'))}
            data-first
            {...form.getInputProps(`values.${index}.name`)}
          />
          <TextInput
            {...labelled(index, t('survey.value'))}
            classNames={{ input: 'mono' }}
            {...form.getInputProps(`values.${index}.value`)}
          />
          <IconButton
            label={t('survey.remove_value', { number: index + 1 })}
            icon={<IconTrash size={16} />}
            onClick={() => form.removeListItem('values', index)}
          />
        </div>
      ))}
      <div className="flex wrap gap-8 pt-8">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => {
            form.clearFieldError('values');
            form.insertListItem('values', { name: '', value: '' });
          }}
        >
          {t('survey.add_value')}
        </Button>
      </div>
    </Input.Wrapper>
  );
}

/** Only the first row has visible labels. */
const labelled = (index: number, label: string) =>
  index === 0 ? { label } : { 'aria-label': label };
