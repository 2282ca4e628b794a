import { newIntegration } from '#shared/api/integrations.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { IntegrationFields } from './integration-fields.tsx';
import { integrationBody, integrationValues } from './integration-values.ts';
import { integrationResource } from './integrations.queries.ts';

export const IntegrationDialog = defineResourceDialog({
  resource: integrationResource,
  help: 'integration',
  size: 450,
  values: integrationValues,
  toBody: integrationBody,
  schema: newIntegration,
  Fields: IntegrationFields,
});
