import { useMutation } from '@tanstack/react-query';
import { type Key, keyChange, keys, newKey } from '#shared/api/keys.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { KeyFields } from './key-fields.tsx';
import { keyBody, keyValues } from './key-values.ts';
import { createKey, updateKey } from './keys.queries.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
  /** Called with the id of a new thing. */
  onMade?: (id: number) => void;
}

export function KeyDialog({ edit, ...place }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={place.onClose}
      newTitle={t('key.new')}
      editTitle={t('key.edit')}
      help="key"
    >
      {(id) => <OpenedKey key={id ?? 'new'} {...place} id={id} />}
    </EditDialog>
  );
}

type DialogProps = Omit<Props, 'edit'>;

function OpenedKey({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const opened = useEditableResource(
    keys.one,
    id === null ? null : { project_id: projectId, key_id: id },
  );
  return <OpenedForm opened={opened}>{(base) => <KeyForm {...inner} base={base} />}</OpenedForm>;
}

function KeyForm({ projectId, onClose, onMade, base }: DialogProps & { base: Base<Key> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createKey());
  const update = useMutation(updateKey());
  const { form, frame } = useResourceForm({
    base,
    initial: keyValues(base?.thing),
    schema: base ? keyChange : newKey,
    toBody: keyBody,
    create: (body) => create.mutateAsync({ params: { project_id: projectId }, body }),
    update: (body, { id }, ifMatch) =>
      update.mutateAsync({ params: { project_id: projectId, key_id: id }, body, ifMatch }),
    onSaved: (name, id) => {
      toast(t(base ? 'key.saved' : 'key.created', { name }));
      if (id !== undefined) onMade?.(id);
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <KeyFields form={form} isNew={base === null} />
    </Form>
  );
}
