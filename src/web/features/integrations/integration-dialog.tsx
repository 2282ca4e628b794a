import { useMutation } from '@tanstack/react-query';
import { type Integration, integrations, newIntegration } from '#shared/api/integrations.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/edit-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
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
  const place = { projectId, onClose };
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('integration.new')}
      editTitle={t('integration.edit')}
      size={450}
    >
      {(id) =>
        id === null ? (
          <NewIntegration {...place} />
        ) : (
          <ChangedIntegration key={id} {...place} integrationId={id} />
        )
      }
    </EditDialog>
  );
}

type Place = Pick<Props, 'projectId' | 'onClose'>;

function NewIntegration({ projectId, onClose }: Place) {
  const { t } = useTranslation();
  const create = useMutation(createIntegration());
  const { form, frame } = useBodyForm({
    initial: integrationValues(),
    schema: newIntegration,
    toBody: integrationBody,
    submit: async (body) => {
      const { name } = await create.mutateAsync({ params: { project_id: projectId }, body });
      toast(t('integration.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <IntegrationFields projectId={projectId} form={form} />
    </Form>
  );
}

function ChangedIntegration({ integrationId, ...place }: Place & { integrationId: number }) {
  const params = { project_id: place.projectId, integration_id: integrationId };
  const opened = useOpened(integrations.one, params);
  return (
    <OpenedForm opened={opened}>{(base) => <IntegrationForm {...place} base={base} />}</OpenedForm>
  );
}

function IntegrationForm({ projectId, onClose, base }: Place & { base: Base<Integration> }) {
  const { t } = useTranslation();
  const update = useMutation(updateIntegration());
  const { form, frame } = useBodyForm({
    initial: integrationValues(base.thing),
    schema: newIntegration,
    toBody: integrationBody,
    submit: async (body, overwrite) => {
      const params = { project_id: projectId, integration_id: base.thing.id };
      await update.mutateAsync({ params, body, ifMatch: overwrite ? undefined : base.revision });
      toast(t('integration.saved', { name: body.name }));
      onClose();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <IntegrationFields projectId={projectId} form={form} />
    </Form>
  );
}
