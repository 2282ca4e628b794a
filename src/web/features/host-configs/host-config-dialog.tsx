import { type NewHostConfig, newHostConfig } from '#shared/api/host-configs.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { HostConfigFields } from './host-config-fields.tsx';
import { hostConfigValues } from './host-config-values.ts';
import { hostConfigResource } from './host-configs.queries.ts';

export const HostConfigDialog = defineResourceDialog({
  resource: hostConfigResource,
  help: 'host_config',
  values: hostConfigValues,
  // The schema refuses a body without a key before it is sent.
  toBody: (values) => values as NewHostConfig,
  schema: newHostConfig,
  Fields: HostConfigFields,
});
