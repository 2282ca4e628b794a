import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import {
  bodyTypes,
  branchOption,
  type ExtractValue,
  type extractValues,
  type Matcher,
  type matchers,
  matchMethods,
  newExtractValue,
  newMatcher,
  type Source,
  sources,
  variableTypes,
} from '#shared/api/matchers.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import { type IntegrationRef, matcherResource, valueResource } from './integrations.queries.ts';
import { codeInput } from '../../resources/code-input.ts';

const valueValues = (value?: ExtractValue) => ({
  name: value?.name ?? '',
  value_source: value?.value_source ?? ('' as const),
  body_data_type: value?.body_data_type ?? '',
  key: value?.key ?? '',
  variable_type: value?.variable_type ?? 'environment',
  variable: value?.variable ?? '',
});
type ValueValues = ReturnType<typeof valueValues>;

const matcherValues = (matcher?: Matcher) => ({
  name: matcher?.name ?? '',
  match_type: matcher?.match_type ?? ('' as const),
  body_data_type: matcher?.body_data_type ?? '',
  key: matcher?.key ?? '',
  method: matcher?.method ?? ('' as const),
  value: matcher?.value ?? '',
});
type MatcherValues = ReturnType<typeof matcherValues>;

// The schema refuses missing choices before this is sent.
const valueBody = (values: ValueValues, { integrationId }: IntegrationRef) =>
  ({ ...values, integration_id: integrationId }) as CallOf<typeof extractValues.create>['body'];
const matcherBody = (values: MatcherValues, { integrationId }: IntegrationRef) =>
  ({ ...values, integration_id: integrationId }) as CallOf<typeof matchers.create>['body'];

export const ValueDialog = defineResourceDialog({
  resource: valueResource,
  help: 'integration',
  size: 450,
  fields: 6,
  values: valueValues,
  toBody: valueBody,
  schema: newExtractValue,
  Fields: ValueFields,
});

function ValueFields({ form }: FieldsProps<ValueValues>) {
  const {
    value_source: source,
    body_data_type: bodyType,
    variable_type: target,
  } = form.getValues();
  const chooseTarget = (chosen: string | null) => {
    const type = variableTypes.find((one) => one === chosen) ?? 'environment';
    form.setValues({ variable_type: type, variable: type === 'task' ? branchOption : '' });
  };
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <PlaceFields
        source={source}
        bodyType={bodyType}
        sourceLabel={t('extract_value.source')}
        bodyTypeLabel={t('extract_value.body_type')}
        sourceInput={form.getInputProps('value_source')}
        bodyTypeInput={form.getInputProps('body_data_type')}
        keyInput={form.getInputProps('key')}
      />
      <Select
        label={t('extract_value.target')}
        allowDeselect={false}
        data={variableTypes.map((value) => ({ value, label: t(`extract_value.targets.${value}`) }))}
        {...(target === 'task' && { description: t('extract_value.branch_hint') })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('variable_type')}
        onChange={chooseTarget}
      />
      {target === 'environment' && (
        <TextInput
          label={t('extract_value.variable')}
          required
          description={t('extract_value.variable_hint')}
          {...codeInput}
          {...form.getInputProps('variable')}
        />
      )}
    </>
  );
}

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
        {...codeInput}
        {...form.getInputProps('value')}
      />
    </>
  );
}

interface Props {
  source: Source | '';
  bodyType: Matcher['body_data_type'];
  sourceLabel: string;
  bodyTypeLabel: string;
  sourceInput: GetInputPropsReturnType;
  bodyTypeInput: GetInputPropsReturnType;
  keyInput: GetInputPropsReturnType;
}

/** The inputs for the location of a value in a request. */
function PlaceFields(props: Props) {
  const { source, bodyType, sourceLabel, bodyTypeLabel } = props;
  const hint = source === 'header' ? 'header' : bodyType === 'string' ? 'text' : 'json';
  return (
    <>
      <Select
        label={sourceLabel}
        required
        allowDeselect={false}
        data={sources.map((value) => ({ value, label: t(`rule.source.${value}`) }))}
        {...props.sourceInput}
      />
      {source === 'body' && (
        <Select
          label={bodyTypeLabel}
          required
          allowDeselect={false}
          data={bodyTypes.map((value) => ({ value, label: t(`rule.body_type.${value}`) }))}
          {...props.bodyTypeInput}
        />
      )}
      <TextInput
        label={t('rule.key')}
        required
        description={source === '' ? undefined : t(`rule.key_hint.${hint}`)}
        {...codeInput}
        {...props.keyInput}
      />
    </>
  );
}
