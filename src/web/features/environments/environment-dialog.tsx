import { useMutation } from '@tanstack/react-query';
import { environments, type Environment, newEnvironment } from '#shared/api/environments.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/edit-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { createEnvironment, updateEnvironment } from './environments.queries.ts';
import { EnvironmentFields } from './environment-fields.tsx';
import { checkNames, environmentBody, environmentValues } from './environment-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
}

export function EnvironmentDialog({ projectId, edit, onClose }: Props) {
  const { t } = useTranslation();
  const place = { projectId, onClose };
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('environment.new')}
      editTitle={t('environment.edit')}
      size={720}
    >
      {(id) =>
        id === null ? (
          <NewEnvironmentForm {...place} />
        ) : (
          <ChangedEnvironment key={id} {...place} environmentId={id} />
        )
      }
    </EditDialog>
  );
}

type Place = Pick<Props, 'projectId' | 'onClose'>;

function NewEnvironmentForm({ projectId, onClose }: Place) {
  const { t } = useTranslation();
  const create = useMutation(createEnvironment());
  const { form, frame } = useBodyForm({
    initial: environmentValues(),
    schema: newEnvironment,
    toBody: environmentBody,
    check: checkNames,
    submit: async (body) => {
      const { name } = await create.mutateAsync({ params: { project_id: projectId }, body });
      toast(t('environment.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <EnvironmentFields form={form} />
    </Form>
  );
}

function ChangedEnvironment({ environmentId, ...place }: Place & { environmentId: number }) {
  const params = { project_id: place.projectId, environment_id: environmentId };
  const opened = useOpened(environments.one, params);
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <EnvironmentForm {...place} base={base} />}
    </OpenedForm>
  );
}

function EnvironmentForm({ projectId, onClose, base }: Place & { base: Base<Environment> }) {
  const { t } = useTranslation();
  const update = useMutation(updateEnvironment());
  const { form, frame } = useBodyForm({
    initial: environmentValues(base.thing),
    schema: newEnvironment,
    toBody: environmentBody,
    check: checkNames,
    submit: async (body, overwrite) => {
      const params = { project_id: projectId, environment_id: base.thing.id };
      await update.mutateAsync({ params, body, ifMatch: overwrite ? undefined : base.revision });
      toast(t('environment.saved', { name: body.name }));
      onClose();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <EnvironmentFields form={form} />
    </Form>
  );
}
