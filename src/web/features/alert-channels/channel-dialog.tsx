import { useMutation } from '@tanstack/react-query';
import {
  type AlertChannel,
  alertChannelChange,
  alertChannels,
  newAlertChannel,
} from '#shared/api/alert-channels.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/edit-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
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
  const place = { projectId, onClose };
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('alert.new_channel')}
      editTitle={t('alert.edit_channel')}
      size={480}
    >
      {(id) =>
        id === null ? (
          <NewChannel {...place} />
        ) : (
          <ChangedChannel key={id} {...place} channelId={id} />
        )
      }
    </EditDialog>
  );
}

type Place = Pick<Props, 'projectId' | 'onClose'>;

function NewChannel({ projectId, onClose }: Place) {
  const { t } = useTranslation();
  const create = useMutation(createAlertChannel());
  const { form, frame } = useBodyForm({
    initial: channelValues(),
    schema: newAlertChannel,
    toBody: channelBody,
    inputPath,
    submit: async (body) => {
      const { name } = await create.mutateAsync({ params: { project_id: projectId }, body });
      toast(t('alert.channel_created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <ChannelFields projectId={projectId} form={form} stored={null} />
    </Form>
  );
}

function ChangedChannel({ channelId, ...place }: Place & { channelId: number }) {
  const params = { project_id: place.projectId, alert_channel_id: channelId };
  const opened = useOpened(alertChannels.one, params);
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <ChannelForm {...place} base={base} />}
    </OpenedForm>
  );
}

function ChannelForm({ projectId, onClose, base }: Place & { base: Base<AlertChannel> }) {
  const { t } = useTranslation();
  const update = useMutation(updateAlertChannel());
  const { form, frame } = useBodyForm({
    initial: channelValues(base.thing),
    schema: alertChannelChange,
    toBody: channelBody,
    inputPath,
    submit: async (body, overwrite) => {
      const params = { project_id: projectId, alert_channel_id: base.thing.id };
      await update.mutateAsync({ params, body, ifMatch: overwrite ? undefined : base.revision });
      toast(t('alert.channel_saved', { name: body.name }));
      onClose();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <ChannelFields projectId={projectId} form={form} stored={base.thing} />
    </Form>
  );
}
