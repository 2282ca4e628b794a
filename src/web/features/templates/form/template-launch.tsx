import { Checkbox, Input } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import type { FormErrors } from '@mantine/form';
import { memo, useDeferredValue } from 'react';
import { hasField } from '#shared/apps.ts';
import { t } from '../../../lib/i18n.ts';
import { previewVariables } from '../survey/preview-variables.ts';
import { SurveyEditor } from '../survey/survey-editor.tsx';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';
import { type FlagName, flagNames, type TemplateValues } from './template-values.ts';

/** What each launch asks for, which options it may override, and how that looks. */
export function TemplateLaunch({ form, renderPreview }: FieldsProps) {
  const values = form.getValues();
  return (
    <div className={`grid items-start ${classes.beside}`}>
      <div className="column gap-14 min-w-0">
        <SurveyEditor
          label={t('template.form.survey')}
          path="survey_vars"
          variables={values.survey_vars}
          errors={form.errors}
          hasTarget
          onChange={(variables, field) => {
            form.setFieldValue('survey_vars', variables);
            form.setErrors(errorsAfter(form.errors, field));
          }}
        />
        <Allowed form={form} />
      </div>
      <Preview values={useDeferredValue(values)} renderPreview={renderPreview} />
    </div>
  );
}

/** Without the errors of the changed field; moved variables have other paths than their errors. */
const errorsAfter = (errors: FormErrors, field = 'survey_vars'): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).filter(([path]) => path !== field && !path.startsWith(`${field}.`)),
  );

/**
 * It is read-only: its inputs are no part of the form. It is drawn after what was typed, so that it
 * delays no key.
 */
const Preview = memo(function Preview({ values, renderPreview }: PreviewProps) {
  return (
    <aside className={`column gap-8 min-w-0 ${classes.preview}`}>
      <h3 className="text-14 weight-620">
        {t('template.form.preview')}{' '}
        <span className="soft weight-400">{t('template.form.preview_hint')}</span>
      </h3>
      <div
        className="column gap-14 rounded-8"
        style={{ padding: 16, border: '1px dashed var(--line-strong)' }}
        inert
      >
        {renderPreview({ ...values, survey_vars: previewVariables(values.survey_vars) })}
      </div>
    </aside>
  );
});

interface PreviewProps extends Pick<FieldsProps, 'renderPreview'> {
  values: TemplateValues;
}

function Allowed({ form }: Pick<FieldsProps, 'form'>) {
  const { app } = form.getValues();
  return (
    <Input.Wrapper label={t('template.form.allow')} labelElement="div">
      <Input.Description mb={6}>{t('template.form.allow_hint')}</Input.Description>
      <div className={`grid ${classes.pair}`} style={{ gap: '10px 14px' }}>
        {flagNames
          .filter((name) => isKnown(app, name))
          .map((name) => (
            <Checkbox
              key={name}
              label={t(`template.flag.${name}`)}
              {...form.getInputProps(name, { type: 'checkbox' })}
            />
          ))}
      </div>
    </Input.Wrapper>
  );
}

const fieldOf = {
  allow_override_limit_in_task: 'limit',
  allow_override_tags_in_task: 'tags',
  allow_override_skip_tags_in_task: 'skip_tags',
  allow_auto_approve_in_task: 'auto_approve',
} as const satisfies Partial<Record<FlagName, string>>;

function isKnown(app: string, name: FlagName): boolean {
  const fields: Partial<Record<FlagName, Parameters<typeof hasField>[1]>> = fieldOf;
  const field = fields[name];
  return field === undefined || hasField(app, field);
}
