import { Select, TextInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Matcher, matchers, matchMethods, newMatcher } from '#shared/api/matchers.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import {
  createMatcher,
  paramsOf,
  type IntegrationRef,
  updateMatcher,
} from './integrations.queries.ts';
import { PlaceFields } from './place-fields.tsx';
import { matcherBody, type MatcherValues, matcherValues } from './rule-values.ts';

interface Props {
  place: IntegrationRef;
  edit: Edited;
  onClose: () => void;
}

/** Makes or changes a condition that requests have to meet. */
export function MatcherDialog({ place, edit, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('matcher.new')}
      editTitle={t('matcher.edit')}
      size={450}
      help="integration"
    >
      {(id) => <OpenedMatcher key={id ?? 'new'} place={place} id={id} onClose={onClose} />}
    </EditDialog>
  );
}

type Inner = Pick<Props, 'place' | 'onClose'>;

function OpenedMatcher({ id, ...inner }: Inner & { id: number | null }) {
  const { place } = inner;
  const opened = useEditableResource(
    matchers.one,
    id === null ? null : { ...paramsOf(place), matcher_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={6}>
      {(base) => <MatcherForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function MatcherForm({ place, onClose, base }: Inner & { base: Base<Matcher> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createMatcher());
  const update = useMutation(updateMatcher());
  const { form, frame } = useResourceForm({
    base,
    initial: matcherValues(base?.thing),
    schema: newMatcher,
    toBody: matcherBody(place.integrationId),
    create: (body) => create.mutateAsync({ params: paramsOf(place), body }),
    update: (body, { id }) =>
      update.mutateAsync({ params: { ...paramsOf(place), matcher_id: id }, body }),
    onSaved: (name) => {
      toast(t(base ? 'matcher.saved' : 'matcher.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <MatcherFields form={form} />
    </Form>
  );
}

function MatcherFields({ form }: { form: UseFormReturnType<MatcherValues> }) {
  const { t } = useTranslation();
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
