import { useMutation } from '@tanstack/react-query';
import { type Key, keyChange, keys, newKey } from '#shared/api/keys.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/edit-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { KeyFields } from './key-fields.tsx';
import { keyBody, keyValues } from './key-values.ts';
import { createKey, updateKey } from './keys.queries.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
}

export function KeyDialog({ projectId, edit, onClose }: Props) {
  const { t } = useTranslation();
  const place = { projectId, onClose };
  return (
    <EditDialog edit={edit} onClose={onClose} newTitle={t('key.new')} editTitle={t('key.edit')}>
      {(id) =>
        id === null ? <NewKey {...place} /> : <ChangedKey key={id} {...place} keyId={id} />
      }
    </EditDialog>
  );
}

type Place = Pick<Props, 'projectId' | 'onClose'>;

function NewKey({ projectId, onClose }: Place) {
  const { t } = useTranslation();
  const create = useMutation(createKey());
  const { form, frame } = useBodyForm({
    initial: keyValues(),
    schema: newKey,
    toBody: keyBody,
    submit: async (body) => {
      const { name } = await create.mutateAsync({ params: { project_id: projectId }, body });
      toast(t('key.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <KeyFields form={form} isNew />
    </Form>
  );
}

function ChangedKey({ keyId, ...place }: Place & { keyId: number }) {
  const opened = useOpened(keys.one, { project_id: place.projectId, key_id: keyId });
  return <OpenedForm opened={opened}>{(base) => <KeyForm {...place} base={base} />}</OpenedForm>;
}

function KeyForm({ projectId, onClose, base }: Place & { base: Base<Key> }) {
  const { t } = useTranslation();
  const update = useMutation(updateKey());
  const { form, frame } = useBodyForm({
    initial: keyValues(base.thing),
    schema: keyChange,
    toBody: keyBody,
    submit: async (body, overwrite) => {
      const params = { project_id: projectId, key_id: base.thing.id };
      await update.mutateAsync({ params, body, ifMatch: overwrite ? undefined : base.revision });
      toast(t('key.saved', { name: body.name }));
      onClose();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <KeyFields form={form} isNew={false} />
    </Form>
  );
}
