import { Checkbox, NumberInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import { requirementTimes } from '#shared/api/templates.ts';
import { hasField, kindOf } from '#shared/apps.ts';
import { Select } from '../../../ui/forms/select.ts';
import { t } from '../../../lib/i18n.ts';
import { Collapsible } from '../../../ui/page/collapsible.tsx';
import { TagsField } from '../../../ui/forms/tags-field.tsx';
import { useKnownTags } from '../../runners/runners.queries.ts';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';
import { hasRequirements, moreFlags, newValues, type TemplateValues } from './template-values.ts';

const limits = ['memory_limit_mib', 'cpu_limit_percent', 'process_limit'] as const;
const counts = [
  'timeout_s',
  ...limits,
  'retries',
  'retry_delay_s',
  'keep_tasks',
  'keep_days',
] as const;
const ofAnsible = ['fail_without_hosts', 'retry_failed_hosts'] as const;
const names = [...moreFlags, ...ofAnsible, ...counts, 'install_requirements'] as const;

/** Rarely used settings; expanded if one of them is set or has an error. */
export function TemplateMore({ form }: Pick<FieldsProps, 'form'>) {
  const known = useKnownTags();
  const values = form.getValues();
  const isAnsible = kindOf(values.app) === 'ansible';
  const tick = (name: (typeof moreFlags | typeof ofAnsible)[number]) => (
    <Checkbox
      key={name}
      label={t(`template.more.${name}`)}
      {...form.getInputProps(name, { type: 'checkbox' })}
    />
  );
  const count = (name: (typeof counts)[number], unit = '') => (
    <NumberInput
      label={t(`template.more.${name}`)}
      suffix={unit}
      min={0}
      allowDecimal={false}
      hideControls
      {...form.getInputProps(name)}
    />
  );
  return (
    <Collapsible
      title={t('template.form.more')}
      hint={t('template.form.more_hint')}
      initiallyOpen={
        values.runner_tags.length > 0 || names.some((name) => values[name] !== newValues[name])
      }
      hasError={[...names, 'runner_tags'].some((name) => name in form.errors)}
    >
      <div className="grid gap-10">
        {moreFlags
          .filter((name) => name !== 'auto_approve' || hasField(values.app, name))
          .map(tick)}
        {isAnsible && tick('fail_without_hosts')}
      </div>
      <TagsField
        label={t('template.more.runner_tags')}
        description={t('template.more.runner_tags_hint')}
        known={known}
        input={form.getInputProps('runner_tags')}
      />
      {hasRequirements(values.app) && (
        <Select
          label={t('template.requirements.label')}
          description={t('template.requirements.hint')}
          allowDeselect={false}
          data={requirementTimes.map((value) => ({
            value,
            label: t(`template.requirements.${value}`),
          }))}
          {...form.getInputProps('install_requirements')}
          onChange={(chosen) =>
            form.setFieldValue(
              'install_requirements',
              chosen as TemplateValues['install_requirements'],
            )
          }
        />
      )}
      {count('timeout_s', ' s')}
      <div className={`grid items-start gap-14 ${classes.pair}`}>
        {count('memory_limit_mib', ' MiB')}
        {count('cpu_limit_percent', ' %')}
      </div>
      {count('process_limit')}
      <p className="soft smaller">{t('template.more.limits_hint')}</p>
      <div className={`grid items-start gap-14 ${classes.pair}`}>
        {count('retries')}
        {count('retry_delay_s', ' s')}
      </div>
      {isAnsible && tick('retry_failed_hosts')}
      <div className={`grid items-start gap-14 ${classes.pair}`}>
        {count('keep_tasks')}
        {count('keep_days')}
      </div>
      <p className="soft smaller">{t('template.more.zero')}</p>
    </Collapsible>
  );
}
