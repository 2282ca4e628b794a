import { Checkbox, NumberInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import { hasField, kindOf } from '#shared/apps.ts';
import { t } from '../../../lib/i18n.ts';
import { TagsField } from '../../../ui/forms/tags-field.tsx';
import { useKnownTags } from '../../runners/runners.queries.ts';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';
import type { CountName } from './template-values.ts';

type Form = Pick<FieldsProps, 'form'>;

const rules = [
  'requires_confirmation',
  'auto_approve',
  'allow_parallel_tasks',
  'fail_without_hosts',
] as const;

/** When and where a task begins. */
export function TemplateExecution({ form }: Form) {
  const known = useKnownTags();
  const { app } = form.getValues();
  const isKnown = {
    requires_confirmation: true,
    auto_approve: hasField(app, 'auto_approve'),
    allow_parallel_tasks: true,
    fail_without_hosts: kindOf(app) === 'ansible',
  };
  return (
    <>
      <div className="grid gap-10">
        {rules
          .filter((name) => isKnown[name])
          .map((name) => (
            <Tick key={name} form={form} name={name} />
          ))}
      </div>
      <TagsField
        label={t('template.more.runner_tags')}
        description={t('template.more.runner_tags_hint')}
        known={known}
        input={form.getInputProps('runner_tags')}
      />
    </>
  );
}

export function TemplateLimits({ form }: Form) {
  return (
    <>
      <div className={`grid items-start gap-14 ${classes.pair}`}>
        <Count form={form} name="timeout_s" unit=" s" />
        <Count form={form} name="memory_limit_mib" unit=" MiB" />
        <Count form={form} name="cpu_limit_percent" unit=" %" />
        <Count form={form} name="process_limit" />
      </div>
      <p className="soft smaller">{t('template.more.limits_hint')}</p>
      <div className={`grid items-start gap-14 ${classes.pair}`}>
        <Count form={form} name="retries" />
        <Count form={form} name="retry_delay_s" unit=" s" />
      </div>
      {kindOf(form.getValues().app) === 'ansible' && <Tick form={form} name="retry_failed_hosts" />}
    </>
  );
}

/** What follows a task: an alert, and how long the task is kept. */
export function TemplateAftermath({ form }: Form) {
  return (
    <>
      <Tick form={form} name="suppress_success_alerts" />
      <div className={`grid items-start gap-14 ${classes.pair}`}>
        <Count form={form} name="keep_tasks" />
        <Count form={form} name="keep_days" />
      </div>
      <p className="soft smaller">{t('template.more.zero')}</p>
    </>
  );
}

interface TickProps extends Form {
  name: (typeof rules)[number] | 'retry_failed_hosts' | 'suppress_success_alerts';
}

const Tick = ({ form, name }: TickProps) => (
  <Checkbox
    label={t(`template.more.${name}`)}
    {...form.getInputProps(name, { type: 'checkbox' })}
  />
);

const Count = ({ form, name, unit = '' }: Form & { name: CountName; unit?: string }) => (
  <NumberInput
    label={t(`template.more.${name}`)}
    suffix={unit}
    min={0}
    allowDecimal={false}
    hideControls
    {...form.getInputProps(name)}
  />
);
