// The values of the integration form, and the body made from them.

import { type AuthMethod, canonicalAuthMethod } from '#shared/webhooks/auth-methods.ts';
import { type Integration } from '#shared/api/integrations.ts';
import { launchBody, launchValues } from '../../ui/forms/launch-values.ts';
import { targetBody, targetValues } from '../../ui/forms/target-values.ts';

export const integrationValues = (integration?: Integration) => ({
  name: integration?.name ?? '',
  ...targetValues(integration),
  auth_method: canonicalAuthMethod(integration?.auth_method ?? ''),
  auth_header: integration?.auth_header ?? '',
  auth_secret_id: integration?.auth_secret_id ?? null,
  searchable: integration?.searchable ?? false,
  task_params: launchValues(integration?.task_params),
});
export type IntegrationValues = ReturnType<typeof integrationValues>;

export const hasHeader = (method: AuthMethod): boolean => method === 'token' || method === 'hmac';

export const integrationBody = ({
  task_params: given,
  starts,
  template_id,
  workflow_id,
  ...values
}: IntegrationValues) => ({
  ...values,
  ...targetBody({ starts, template_id, workflow_id }),
  auth_header: hasHeader(values.auth_method) ? values.auth_header : '',
  auth_secret_id: values.auth_method === '' ? null : values.auth_secret_id,
  task_params: starts === 'workflow' ? null : launchBody(given),
});
