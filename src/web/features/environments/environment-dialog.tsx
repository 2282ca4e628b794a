import { useMutation } from '@tanstack/react-query';
import { environments, type Environment, newEnvironment } from '#shared/api/environments.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { createEnvironment, updateEnvironment } from './environments.queries.ts';
import { EnvironmentFields } from './environment-fields.tsx';
import { checkNames, environmentBody, environmentValues } from './environment-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
  /** Called with the id of a new thing. */
  onMade?: (id: number) => void;
}

export function EnvironmentDialog({ edit, ...place }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={place.onClose}
      newTitle={t('environment.new')}
      editTitle={t('environment.edit')}
      size={720}
      help="environment"
    >
      {(id) => <OpenedEnvironment key={id ?? 'new'} {...place} id={id} />}
    </EditDialog>
  );
}

type DialogProps = Omit<Props, 'edit'>;

function OpenedEnvironment({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const opened = useEditableResource(
    environments.one,
    id === null ? null : { project_id: projectId, environment_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <EnvironmentForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function EnvironmentForm({
  projectId,
  onClose,
  onMade,
  base,
}: DialogProps & { base: Base<Environment> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createEnvironment());
  const update = useMutation(updateEnvironment());
  const { form, frame } = useResourceForm({
    base,
    initial: environmentValues(base?.thing),
    schema: newEnvironment,
    toBody: environmentBody,
    check: checkNames,
    create: (body) => create.mutateAsync({ params: { project_id: projectId }, body }),
    update: (body, { id }, ifMatch) =>
      update.mutateAsync({ params: { project_id: projectId, environment_id: id }, body, ifMatch }),
    onSaved: (name, id) => {
      toast(t(base ? 'environment.saved' : 'environment.created', { name }));
      if (id !== undefined) onMade?.(id);
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <EnvironmentFields form={form} />
    </Form>
  );
}
