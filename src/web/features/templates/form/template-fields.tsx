import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Fold } from '../../../ui/page/collapsible.tsx';
import { SurveyList } from './survey-list.tsx';
import { TemplateBasics } from './template-basics.tsx';
import classes from './template-fields.module.css';
import { TemplateLaunch } from './template-launch.tsx';
import { TemplateMore } from './template-more.tsx';
import { TemplateSchedule } from './template-schedule.tsx';
import { TemplateSources } from './template-sources.tsx';
import type { TemplateValues } from './template-values.ts';

/** What an input of the form is given. */
interface Input {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** The parts of the form that other nouns own. */
export interface TemplateParts {
  renderCron: (field: {
    label: string;
    description: string;
    cron: Input;
    zone: Input;
  }) => ReactNode;
  /** What people will see who launch a task of it. */
  renderPreview: (values: TemplateValues) => ReactNode;
}

export interface FieldsProps extends TemplateParts {
  projectId: number;
  /** Null: it is new. */
  templateId: number | null;
  form: UseFormReturnType<TemplateValues>;
  /** Opens the editor of a survey variable; `null` makes one. */
  onVariable: (index: number | null) => void;
}

export function TemplateFields(props: FieldsProps) {
  const { form, onVariable, renderPreview } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <Section title={t('template.form.general')}>
          <TemplateBasics {...props} />
        </Section>
        <Section title={t('template.form.sources')}>
          <TemplateSources {...props} />
        </Section>
        <Section title={t('template.form.survey')}>
          <SurveyList form={form} onVariable={onVariable} />
          <Fold title={t('template.form.preview')} hint={t('template.form.preview_hint')}>
            {/* It is looked at only: its inputs are no part of this form. */}
            <div className={classes.preview} inert>
              {renderPreview(form.getValues())}
            </div>
          </Fold>
        </Section>
      </div>
      <div className={classes.column}>
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
    <section className={classes.section}>
      <h3 className={classes.heading}>{title}</h3>
      {children}
    </section>
  );
}
