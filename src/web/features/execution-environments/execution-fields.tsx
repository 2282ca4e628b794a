import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { executionKinds, newExecutionEnvironment } from '#shared/api/execution-environments.ts';
import { t } from '../../lib/i18n.ts';
import { Select } from '../../ui/forms/select.ts';
import { ContainerFields } from './container-fields.tsx';
import {
  executionBody,
  type ExecutionValues,
  executionValues,
  inputPath,
} from './execution-environment-values.ts';
import { PodFields } from './pod-fields.tsx';
import { ToolsFields } from './tools-fields.tsx';

/** What the dialogs of projects and of the installation share. */
export const executionForm = {
  help: 'execution_environment',
  size: 640,
  fields: 4,
  values: executionValues,
  toBody: executionBody,
  schema: newExecutionEnvironment,
  inputPath,
} as const;

interface Props {
  form: UseFormReturnType<ExecutionValues>;
  /** Null: of the installation. */
  projectId: number | null;
}

export function ExecutionFields({ form, projectId }: Props) {
  const { kind } = form.getValues();
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label={t('template.form.description')}
        autosize
        minRows={1}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <Select
        label={t('execution_environment.kind.label')}
        description={t(`execution_environment.kind_hint.${kind}`)}
        required
        allowDeselect={false}
        data={executionKinds.map((value) => ({
          value,
          label: t(`execution_environment.kind.${value}`),
        }))}
        {...form.getInputProps('kind')}
      />
      {kind === 'tools' && <ToolsFields form={form} />}
      {kind === 'container' && <ContainerFields form={form} projectId={projectId} />}
      {kind === 'pod' && <PodFields form={form} projectId={projectId} />}
    </>
  );
}
