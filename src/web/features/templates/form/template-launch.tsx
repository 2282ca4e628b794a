import { Checkbox, Input, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { hasField } from '#shared/apps.ts';
import { t } from '../../../lib/i18n.ts';
import { ArgumentsField } from '../../../ui/forms/arguments-field.tsx';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';
import { type FlagName, flagNames } from './template-values.ts';

/** The launch options of the template, and which of them each task may override. */
export function TemplateLaunch({ form }: Pick<FieldsProps, 'form'>) {
  const { app } = form.getValues();
  return (
    <>
      {hasField(app, 'limit') && (
        <TextInput
          label={t('new_task.limit')}
          placeholder="web*:!web3"
          classNames={{ input: 'mono' }}
          autoComplete="off"
          {...form.getInputProps('limit')}
        />
      )}
      {hasField(app, 'tags') && (
        <div className={`grid items-start gap-14 ${classes.pair}`}>
          <TextInput
            label={t('new_task.tags')}
            autoComplete="off"
            {...form.getInputProps('tags')}
          />
          <TextInput
            label={t('new_task.skip_tags')}
            autoComplete="off"
            {...form.getInputProps('skip_tags')}
          />
        </div>
      )}
      <ArgumentsField label={t('new_task.arguments')} {...form.getInputProps('arguments')} />
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
    </>
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
