import type { ComponentType } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IndexedSections } from '../../../ui/page/indexed-sections.tsx';
import { TemplateBasics } from './template-basics.tsx';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';
import { TemplateLaunch } from './template-launch.tsx';
import { TemplateAftermath, TemplateExecution, TemplateLimits } from './template-limits.tsx';
import { TemplateSchedule } from './template-schedule.tsx';
import { TemplateSources } from './template-sources.tsx';
import { fieldsOf, type SectionId } from './template-values.ts';

const sections: [SectionId, ComponentType<FieldsProps>][] = [
  ['general', TemplateBasics],
  ['sources', TemplateSources],
  ['launch', TemplateLaunch],
  ['schedule', TemplateSchedule],
  ['execution', TemplateExecution],
  ['limits', TemplateLimits],
  ['aftermath', TemplateAftermath],
];

export function TemplateSections(props: FieldsProps) {
  const shown = sections.filter(([id]) => id !== 'schedule' || props.may('schedule.edit'));
  const wrong = Object.keys(props.form.errors).map((path) => path.split('.')[0]);
  return (
    <IndexedSections
      label={t('form.sections')}
      sections={shown.map(([id, Content]) => ({
        id,
        title: t(`template.form.${id}`),
        isWrong: fieldsOf[id].some((name) => wrong.includes(name)),
        content: (
          <div className={`column gap-14 ${id === 'launch' ? '' : classes.fields}`}>
            <Content {...props} />
          </div>
        ),
      }))}
    />
  );
}
