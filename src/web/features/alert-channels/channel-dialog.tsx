import { useMutation } from '@tanstack/react-query';
import {
  type AlertChannel,
  alertChannelChange,
  alertChannels,
  newAlertChannel,
} from '#shared/api/alert-channels.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { createAlertChannel, updateAlertChannel } from './alert-channels.queries.ts';
import { ChannelFields } from './channel-fields.tsx';
import { channelBody, channelValues, inputPath } from './channel-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
}

export function ChannelDialog({ projectId, edit, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('alert.new_channel')}
      editTitle={t('alert.edit_channel')}
      size={480}
      help="alert_channel"
    >
      {(id) => <OpenedChannel key={id ?? 'new'} projectId={projectId} id={id} onClose={onClose} />}
    </EditDialog>
  );
}

type DialogProps = Pick<Props, 'projectId' | 'onClose'>;

function OpenedChannel({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const opened = useEditableResource(
    alertChannels.one,
    id === null ? null : { project_id: projectId, alert_channel_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <ChannelForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function ChannelForm({
  projectId,
  onClose,
  base,
}: DialogProps & { base: Base<AlertChannel> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createAlertChannel());
  const update = useMutation(updateAlertChannel());
  const { form, frame } = useResourceForm({
    base,
    initial: channelValues(base?.thing),
    schema: base ? alertChannelChange : newAlertChannel,
    toBody: channelBody,
    inputPath,
    create: (body) => create.mutateAsync({ params: { project_id: projectId }, body }),
    update: (body, { id }, ifMatch) =>
      update.mutateAsync({
        params: { project_id: projectId, alert_channel_id: id },
        body,
        ifMatch,
      }),
    onSaved: (name) => {
      toast(t(base ? 'alert.channel_saved' : 'alert.channel_created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <ChannelFields projectId={projectId} form={form} stored={base?.thing ?? null} />
    </Form>
  );
}
