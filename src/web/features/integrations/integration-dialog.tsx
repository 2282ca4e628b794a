import { useMutation } from '@tanstack/react-query';
import { type Integration, integrations, newIntegration } from '#shared/api/integrations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { IntegrationFields } from './integration-fields.tsx';
import { integrationBody, integrationValues } from './integration-values.ts';
import { createIntegration, updateIntegration } from './integrations.queries.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
}

export function IntegrationDialog({ projectId, edit, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('integration.new')}
      editTitle={t('integration.edit')}
      size={450}
      help="integration"
    >
      {(id) => (
        <OpenedIntegration key={id ?? 'new'} projectId={projectId} id={id} onClose={onClose} />
      )}
    </EditDialog>
  );
}

type DialogProps = Pick<Props, 'projectId' | 'onClose'>;

function OpenedIntegration({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const opened = useEditableResource(
    integrations.one,
    id === null ? null : { project_id: projectId, integration_id: id },
  );
  return (
    <OpenedForm opened={opened}>{(base) => <IntegrationForm {...inner} base={base} />}</OpenedForm>
  );
}

function IntegrationForm({
  projectId,
  onClose,
  base,
}: DialogProps & { base: Base<Integration> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createIntegration());
  const update = useMutation(updateIntegration());
  const { form, frame } = useResourceForm({
    base,
    initial: integrationValues(base?.thing),
    schema: newIntegration,
    toBody: integrationBody,
    create: (body) => create.mutateAsync({ params: { project_id: projectId }, body }),
    update: (body, { id }, ifMatch) =>
      update.mutateAsync({ params: { project_id: projectId, integration_id: id }, body, ifMatch }),
    onSaved: (name) => {
      toast(t(base ? 'integration.saved' : 'integration.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <IntegrationFields projectId={projectId} form={form} />
    </Form>
  );
}
