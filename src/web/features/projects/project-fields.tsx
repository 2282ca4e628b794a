import { Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import type { ProjectValues } from './project-values.ts';

interface Props {
  form: UseFormReturnType<ProjectValues>;
  disabled: boolean;
}

interface NameProps extends Props {
  /** Whether the input of the name has the focus first. */
  isFirst?: boolean;
}

export function ProjectName({ form, disabled, isFirst = false }: NameProps) {
  return (
    <TextInput
      label={t('project.name')}
      required
      disabled={disabled}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where a page begins with it
      autoFocus={isFirst}
      {...form.getInputProps('name')}
    />
  );
}

export const hasOptionError = ({ name: _name, ...ofOptions }: Record<string, ReactNode>): boolean =>
  Object.keys(ofOptions).length > 0;

export function ProjectOptions({ form, disabled }: Props) {
  return (
    <>
      <Checkbox
        label={t('project.alert')}
        disabled={disabled}
        {...form.getInputProps('alert', { type: 'checkbox' })}
      />
      <TextInput
        label={t('project.alert_chat')}
        description={t('project.alert_chat_hint')}
        disabled={disabled}
        {...form.getInputProps('alert_chat')}
      />
      <TextInput
        label={t('project.max_parallel_tasks')}
        description={t('project.max_parallel_tasks_hint')}
        inputMode="numeric"
        disabled={disabled}
        {...form.getInputProps('max_parallel_tasks')}
      />
    </>
  );
}
