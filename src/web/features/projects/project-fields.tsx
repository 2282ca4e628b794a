import { Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from '../../lib/i18n.ts';
import type { ProjectValues } from './project-values.ts';

interface Props {
  form: UseFormReturnType<ProjectValues>;
  disabled: boolean;
}

export function ProjectFields({ form, disabled }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('project.name')}
        required
        disabled={disabled}
        {...form.getInputProps('name')}
      />
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
