import { Checkbox } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { usualFacts } from '#shared/host-facts.ts';
import { t } from '../../lib/i18n.ts';
import { LazyTagsField } from '../../ui/forms/lazy-tags-field.tsx';
import type { ProjectValues } from './project-values.ts';

interface Props {
  form: UseFormReturnType<ProjectValues>;
  disabled: boolean;
}

export function KeptFacts({ form, disabled }: Props) {
  const input = form.getInputProps('host_facts');
  const isKept = form.getValues().host_facts.length > 0;
  return (
    <>
      <Checkbox
        label={t('project.host_facts')}
        description={t('project.host_facts_hint')}
        disabled={disabled}
        checked={isKept}
        onChange={(event) => {
          form.setFieldValue('host_facts', event.currentTarget.checked ? [...usualFacts] : []);
        }}
      />
      {isKept && (
        <LazyTagsField
          label={t('project.fact_names')}
          description={t('project.fact_names_hint')}
          disabled={disabled}
          known={usualFacts}
          input={input}
        />
      )}
    </>
  );
}
