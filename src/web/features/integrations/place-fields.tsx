import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { bodyTypes, type Matcher, type Source, sources } from '#shared/api/matchers.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';

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
export function PlaceFields(props: Props) {
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
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        {...props.keyInput}
      />
    </>
  );
}
