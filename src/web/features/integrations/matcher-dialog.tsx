import { TextInput } from '@mantine/core';
import { matchMethods, newMatcher } from '#shared/api/matchers.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import { matcherResource } from './integrations.queries.ts';
import { PlaceFields } from './place-fields.tsx';
import { matcherBody, type MatcherValues, matcherValues } from './rule-values.ts';

export const MatcherDialog = defineResourceDialog({
  resource: matcherResource,
  help: 'integration',
  size: 450,
  fields: 6,
  values: matcherValues,
  toBody: matcherBody,
  schema: newMatcher,
  Fields: MatcherFields,
});

function MatcherFields({ form }: FieldsProps<MatcherValues>) {
  const { match_type: source, body_data_type: bodyType } = form.getValues();
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <PlaceFields
        source={source}
        bodyType={bodyType}
        sourceLabel={t('matcher.source')}
        bodyTypeLabel={t('matcher.body_format')}
        sourceInput={form.getInputProps('match_type')}
        bodyTypeInput={form.getInputProps('body_data_type')}
        keyInput={form.getInputProps('key')}
      />
      <Select
        label={t('matcher.method.label')}
        required
        allowDeselect={false}
        data={matchMethods.map((value) => ({ value, label: t(`matcher.method.${value}`) }))}
        {...form.getInputProps('method')}
      />
      <TextInput
        label={t('matcher.value')}
        required
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('value')}
      />
    </>
  );
}
