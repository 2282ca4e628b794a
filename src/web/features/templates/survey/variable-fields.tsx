import { Button, Checkbox, Input, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import {
  canonicalSurveyType,
  canonicalSurveyTypes,
  surveyTargets,
} from '#shared/survey/survey-types.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Select } from '../../../ui/forms/select.ts';
import { useFocusOfNew } from '../../../ui/forms/use-focus-of-new.ts';
import classes from './variable-fields.module.css';
import { VariableDefault } from './variable-default.tsx';
import { inputOf, type VariableProps } from './variable-props.ts';

interface Props extends VariableProps {
  hasTarget?: boolean | undefined;
  /** Whether the first input gets the focus. */
  isNew: boolean;
}

export function VariableFields({ hasTarget = false, isNew, ...props }: Props) {
  const { variable, path, onChange } = props;
  const { type, target } = variable;
  const set = (part: Partial<SurveyVariable>) =>
    onChange(part, `${path}.${Object.keys(part)[0] ?? ''}`);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNew) first.current?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the row appears
  }, []);
  return (
    <>
      <TextInput
        ref={first}
        label={t('survey.title')}
        description={t('survey.title_hint')}
        required
        value={variable.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
        {...inputOf(props, 'title')}
      />
      <TextInput
        label={t('survey.name')}
        description={t('survey.name_hint')}
        required
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        value={variable.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        {...inputOf(props, 'name')}
      />
      <Textarea
        label={t('survey.description')}
        autosize
        minRows={1}
        maxRows={4}
        value={variable.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
        {...inputOf(props, 'description')}
      />
      <Select
        label={t('survey.type.label')}
        allowDeselect={false}
        data={canonicalSurveyTypes.map((value) => ({
          value,
          label: t(`survey.type.${value || 'string'}`),
        }))}
        value={canonicalSurveyType(type)}
        onChange={(chosen) => onChange(ofType(chosen as SurveyVariable['type']), `${path}.type`)}
        {...inputOf(props, 'type')}
      />
      {hasTarget && (
        <Select
          label={t('survey.target.label')}
          allowDeselect={false}
          data={surveyTargets.map((value) => ({
            value,
            label: t(`survey.target.${value || 'variable'}`),
          }))}
          value={target ?? ''}
          onChange={(chosen) => set({ target: chosen as SurveyVariable['target'] })}
          {...inputOf(props, 'target')}
        />
      )}
      {type === 'enum' && <Choices {...props} />}
      <VariableDefault {...props} />
      {type !== 'boolean' && (
        <Checkbox
          label={t('survey.required')}
          checked={variable.required}
          onChange={(event) => set({ required: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

/** The old default and values may be invalid for the new type. */
const ofType = (type: SurveyVariable['type']): Partial<SurveyVariable> => ({
  type,
  default_value: '',
  values: type === 'enum' ? [] : null,
});

function Choices(props: VariableProps) {
  const { variable, path, errors, onChange } = props;
  const values = variable.values ?? [];
  const list = useFocusOfNew<HTMLDivElement>(values.length);
  const set = (index: number, part: Partial<(typeof values)[number]>, name: string) =>
    onChange(
      { values: values.map((value, at) => (at === index ? { ...value, ...part } : value)) },
      `${path}.values.${index}.${name}`,
    );
  return (
    <Input.Wrapper
      ref={list}
      label={t('survey.values')}
      labelElement="div"
      error={errors[`${path}.values`]}
    >
      {values.map(({ name, value }, index) => (
        <div key={index} className={`grid items-end gap-8 pt-6 ${classes.choice}`}>
          <TextInput
            {...labelled(index, t('survey.value_name'))}
            data-first
            value={name}
            onChange={(event) => set(index, { name: event.currentTarget.value }, 'name')}
            {...inputOf(props, `values.${index}.name`)}
          />
          <TextInput
            {...labelled(index, t('survey.value'))}
            classNames={{ input: 'mono' }}
            value={value}
            onChange={(event) => set(index, { value: event.currentTarget.value }, 'value')}
            {...inputOf(props, `values.${index}.value`)}
          />
          <IconButton
            label={t('survey.remove_value', { number: index + 1 })}
            icon={<IconTrash size={16} />}
            onClick={() => onChange({ values: values.toSpliced(index, 1) }, `${path}.values`)}
          />
        </div>
      ))}
      <div className="flex wrap gap-8 pt-8">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            onChange({ values: [...values, { name: '', value: '' }] }, `${path}.values`)
          }
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
