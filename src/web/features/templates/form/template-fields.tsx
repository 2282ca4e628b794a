import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Collapsible } from '../../../ui/page/collapsible.tsx';
import { SurveyList } from './survey-list.tsx';
import { TemplateBasics } from './template-basics.tsx';
import classes from './template-fields.module.css';
import { TemplateLaunch } from './template-launch.tsx';
import { TemplateMore } from './template-more.tsx';
import { TemplateSchedule } from './template-schedule.tsx';
import { TemplateSources } from './template-sources.tsx';
import type { FieldsProps } from './template-fields-props.ts';

export function TemplateFields(props: FieldsProps) {
  const { form, onVariable, renderPreview } = props;
  return (
    <div className={`column pb-12 ${classes.columns}`}>
      <div className={`column min-w-0 ${classes.column}`}>
        <Section title={t('template.form.general')}>
          <TemplateBasics {...props} />
        </Section>
        <Section title={t('template.form.sources')}>
          <TemplateSources {...props} />
        </Section>
        <Section title={t('template.form.survey')}>
          <TemplateSurvey form={form} onVariable={onVariable} />
          <Collapsible title={t('template.form.preview')} hint={t('template.form.preview_hint')}>
            {/* The preview is read-only: its inputs are no part of this form. */}
            <div
              className="column gap-14 rounded-8"
              style={{ padding: 16, border: '1px dashed var(--line-strong)' }}
              inert
            >
              {renderPreview(form.getValues())}
            </div>
          </Collapsible>
        </Section>
      </div>
      <div className={`column min-w-0 ${classes.column}`}>
        <Section title={t('template.form.command')}>
          <TemplateLaunch form={form} />
        </Section>
        <Section title={t('template.form.schedule')}>
          <TemplateSchedule {...props} />
        </Section>
        <TemplateMore form={form} />
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="column gap-14 min-w-0">
      <h3 className="text-14 weight-620">{title}</h3>
      {children}
    </section>
  );
}

function TemplateSurvey({ form, onVariable }: Pick<FieldsProps, 'form' | 'onVariable'>) {
  return (
    <SurveyList
      label={t('template.form.survey')}
      variables={form.getValues().survey_vars}
      errorOf={(index) => errorOf(form.errors, index)}
      onMove={(from, to) => form.reorderListItem('survey_vars', { from, to })}
      onRemove={(index) => form.removeListItem('survey_vars', index)}
      onVariable={onVariable}
    />
  );
}

function errorOf(errors: FieldsProps['form']['errors'], index: number) {
  const path = Object.keys(errors).find((name) => name.startsWith(`survey_vars.${index}.`));
  return path === undefined ? null : <> · {errors[path]}</>;
}
