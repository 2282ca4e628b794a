import { useMutation } from '@tanstack/react-query';
import { type HostConfig, hostConfigs, newHostConfig } from '#shared/api/host-configs.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { HostConfigFields } from './host-config-fields.tsx';
import { hostConfigValues, type HostConfigValues } from './host-config-values.ts';
import { createHostConfig, updateHostConfig } from './host-configs.queries.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
}

export function HostConfigDialog({ edit, ...place }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={place.onClose}
      newTitle={t('host_config.new')}
      editTitle={t('host_config.edit')}
      help="host_config"
    >
      {(id) => <OpenedHostConfig key={id ?? 'new'} {...place} id={id} />}
    </EditDialog>
  );
}

type DialogProps = Omit<Props, 'edit'>;

function OpenedHostConfig({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const params = id === null ? null : { project_id: projectId, host_config_id: id };
  const opened = useEditableResource(hostConfigs.one, params);
  return (
    <OpenedForm opened={opened} fields={3}>
      {(base) => <HostConfigForm {...inner} base={base} />}
    </OpenedForm>
  );
}

type Body = CallOf<typeof hostConfigs.create>['body'];

function HostConfigForm({
  projectId,
  onClose,
  base,
}: DialogProps & { base: Base<HostConfig> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createHostConfig());
  const update = useMutation(updateHostConfig());
  const params = { project_id: projectId };
  const { form, frame } = useResourceForm({
    base,
    initial: hostConfigValues(base?.thing),
    schema: newHostConfig,
    // The schema refuses a body without a key before it is sent.
    toBody: (values: HostConfigValues) => ({ ...values, name: values.host }),
    create: async ({ name, ...body }) => {
      const { id } = await create.mutateAsync({ params, body: body as Body });
      return { id, name };
    },
    update: ({ name: _name, ...body }, { id }, ifMatch) =>
      update.mutateAsync({
        params: { ...params, host_config_id: id },
        body: body as Body,
        ifMatch,
      }),
    onSaved: (name) => {
      toast(t(base ? 'host_config.saved' : 'host_config.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <HostConfigFields projectId={projectId} form={form} />
    </Form>
  );
}
