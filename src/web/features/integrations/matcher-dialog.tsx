import { Select, TextInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Matcher, matchers, matchMethods, newMatcher } from '#shared/api/matchers.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/edit-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { createMatcher, paramsOf, type Place, updateMatcher } from './integrations.queries.ts';
import { PlaceFields } from './place-fields.tsx';
import { matcherBody, type MatcherValues, matcherValues } from './rule-values.ts';

interface Props {
  place: Place;
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
    >
      {(id) =>
        id === null ? (
          <NewMatcher place={place} onClose={onClose} />
        ) : (
          <ChangedMatcher key={id} place={place} onClose={onClose} id={id} />
        )
      }
    </EditDialog>
  );
}

type Inner = Pick<Props, 'place' | 'onClose'>;

function NewMatcher({ place, onClose }: Inner) {
  const { t } = useTranslation();
  const create = useMutation(createMatcher());
  const { form, frame } = useBodyForm({
    initial: matcherValues(),
    schema: newMatcher,
    toBody: matcherBody,
    submit: async (body) => {
      const { name } = await create.mutateAsync({ params: paramsOf(place), body });
      toast(t('matcher.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <MatcherFields form={form} />
    </Form>
  );
}

function ChangedMatcher({ id, ...inner }: Inner & { id: number }) {
  const opened = useOpened(matchers.one, { ...paramsOf(inner.place), matcher_id: id });
  return (
    <OpenedForm opened={opened} fields={6}>
      {(base) => <MatcherForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function MatcherForm({ place, onClose, base }: Inner & { base: Base<Matcher> }) {
  const { t } = useTranslation();
  const update = useMutation(updateMatcher());
  const { form, frame } = useBodyForm({
    initial: matcherValues(base.thing),
    schema: newMatcher,
    toBody: matcherBody,
    submit: async (body) => {
      const params = { ...paramsOf(place), matcher_id: base.thing.id };
      await update.mutateAsync({ params, body });
      toast(t('matcher.saved', { name: body.name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.save')}>
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
