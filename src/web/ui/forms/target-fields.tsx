import type { ReactNode } from 'react';
import { Select } from './select.ts';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from './id-select.tsx';
import type { TargetValues } from './target-values.ts';

interface TargetForm {
  errors: Record<string, ReactNode>;
  getValues: () => TargetValues;
  setFieldValue: (path: 'starts', value: TargetValues['starts']) => void;
  getInputProps: (path: string) => object;
}

type Named = { id: number; name: string }[] | undefined;

interface Props {
  form: TargetForm;
  /** Undefined while they are loaded. */
  templates: Named;
  workflows: Named;
  templateLabel: string;
  required?: boolean;
  /** Preselects the only template or workflow although none is required. */
  preselect?: boolean;
}

/** Chooses the template or the workflow to start; without workflows, a template. */
export function TargetFields({ form, templates, workflows, templateLabel, ...choice }: Props) {
  const { starts } = form.getValues();
  return (
    <>
      {(starts === 'workflow' || (workflows && workflows.length > 0)) && (
        <Select
          label={t('starts.label')}
          allowDeselect={false}
          data={[
            { value: 'template', label: t('workflow.type.template') },
            { value: 'workflow', label: t('workflow.type.workflow') },
          ]}
          value={starts}
          onChange={(chosen) =>
            form.setFieldValue('starts', chosen === 'workflow' ? chosen : 'template')
          }
        />
      )}
      {starts === 'workflow' ? (
        <IdSelect
          key="workflow"
          label={t('workflow.one')}
          items={workflows}
          {...choice}
          {...form.getInputProps('workflow_id')}
          // The server requires the template first.
          error={form.errors['workflow_id'] ?? form.errors['template_id']}
        />
      ) : (
        <IdSelect
          key="template"
          label={templateLabel}
          items={templates}
          {...choice}
          {...form.getInputProps('template_id')}
        />
      )}
    </>
  );
}
