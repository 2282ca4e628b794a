import { TextInput } from '@mantine/core';
import { hasField } from '#shared/apps.ts';
import { t } from '../../../lib/i18n.ts';
import { ArgumentsField } from '../../../ui/forms/arguments-field.tsx';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';

/** The options of the command. */
export function TemplateCommand({ form }: Pick<FieldsProps, 'form'>) {
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
    </>
  );
}
