import { alertChannelChange, newAlertChannel } from '#shared/api/alert-channels.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { alertChannelResource } from './alert-channels.queries.ts';
import { ChannelFields } from './channel-fields.tsx';
import { channelBody, channelValues, inputPath } from './channel-values.ts';

export const ChannelDialog = defineResourceDialog({
  resource: alertChannelResource,
  help: 'alert_channel',
  size: 480,
  fields: 5,
  values: channelValues,
  toBody: channelBody,
  schema: newAlertChannel,
  changeSchema: alertChannelChange,
  inputPath,
  Fields: ChannelFields,
});
