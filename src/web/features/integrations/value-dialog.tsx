import { Select, TextInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import {
  branchOption,
  type ExtractValue,
  extractValues,
  newExtractValue,
  variableTypes,
} from '#shared/api/matchers.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { createValue, paramsOf, type IntegrationRef, updateValue } from './integrations.queries.ts';
import { PlaceFields } from './place-fields.tsx';
import { valueBody, type ValueValues, valueValues } from './rule-values.ts';

interface Props {
  place: IntegrationRef;
  edit: Edited;
  onClose: () => void;
}

/** Makes or changes a value that is extracted from requests. */
export function ValueDialog({ place, edit, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('extract_value.new')}
      editTitle={t('extract_value.edit')}
      size={450}
      help="integration"
    >
      {(id) => <OpenedValue key={id ?? 'new'} place={place} id={id} onClose={onClose} />}
    </EditDialog>
  );
}

type Inner = Pick<Props, 'place' | 'onClose'>;

function OpenedValue({ id, ...inner }: Inner & { id: number | null }) {
  const { place } = inner;
  const opened = useEditableResource(
    extractValues.one,
    id === null ? null : { ...paramsOf(place), value_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={6}>
      {(base) => <ValueForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function ValueForm({ place, onClose, base }: Inner & { base: Base<ExtractValue> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createValue());
  const update = useMutation(updateValue());
  const { form, frame } = useResourceForm({
    base,
    initial: valueValues(base?.thing),
    schema: newExtractValue,
    toBody: valueBody(place.integrationId),
    create: (body) => create.mutateAsync({ params: paramsOf(place), body }),
    update: (body, { id }) =>
      update.mutateAsync({ params: { ...paramsOf(place), value_id: id }, body }),
    onSaved: (name) => {
      toast(t(base ? 'extract_value.saved' : 'extract_value.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <ValueFields form={form} />
    </Form>
  );
}

function ValueFields({ form }: { form: UseFormReturnType<ValueValues> }) {
  const { t } = useTranslation();
  const {
    value_source: source,
    body_data_type: bodyType,
    variable_type: target,
  } = form.getValues();
  const chooseTarget = (chosen: string | null) => {
    const type = variableTypes.find((one) => one === chosen) ?? 'environment';
    // The only launch option that a request can set.
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
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('variable')}
        />
      )}
    </>
  );
}
