import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { newIntegration } from '#shared/api/integrations.ts';
import { authMethods } from '#shared/webhooks/auth-methods.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { LaunchFields } from '../../ui/forms/launch-fields.tsx';
import { TargetFields } from '../../ui/forms/target-fields.tsx';
import { useExecutionChoices } from '../execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import { keyQueries } from '../keys/keys.queries.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import {
  hasHeader,
  integrationBody,
  integrationValues,
  type IntegrationValues,
} from './integration-values.ts';
import { integrationResource } from './integrations.queries.ts';
import { methodWords } from './integration-words.ts';

export const IntegrationDialog = defineResourceDialog({
  resource: integrationResource,
  help: 'integration',
  size: 450,
  values: integrationValues,
  toBody: integrationBody,
  schema: newIntegration,
  Fields: IntegrationFields,
});

interface FieldsProps {
  projectId: number;
  form: UseFormReturnType<IntegrationValues>;
}

function IntegrationFields({ projectId, form }: FieldsProps) {
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  const inventories = useQuery(inventoryQueries.list(projectId));
  const executionEnvironments = useExecutionChoices(projectId);
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <TargetFields
        form={form}
        templates={templates.data}
        workflows={workflows.data}
        templateLabel={t('integration.template_to_run')}
        preselect={form.getInitialValues().name === ''}
      />
      <AuthFields projectId={projectId} form={form} />
      {form.values.starts === 'template' && (
        <LaunchFields
          form={form}
          inventories={inventories.data}
          executionEnvironments={executionEnvironments}
        />
      )}
    </>
  );
}

/** How the sender authenticates, with instructions for the sender. */
function AuthFields({ projectId, form }: FieldsProps) {
  const method = form.getValues().auth_method;
  const keys = useQuery(keyQueries.list(projectId));
  return (
    <>
      <Select
        label={t('integration.auth.label')}
        allowDeselect={false}
        data={authMethods.map((value) => ({
          value,
          label: t(`integration.auth.${methodWords(value)}`),
        }))}
        description={t(`integration.sender.${methodWords(method)}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('auth_method')}
      />
      {hasHeader(method) && (
        <TextInput
          label={t('integration.auth.header')}
          placeholder={method === 'token' ? 'Authorization' : 'X-Hub-Signature-256'}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('auth_header')}
        />
      )}
      {method !== '' && (
        <IdSelect
          label={t('integration.auth.secret')}
          description={t('integration.auth.secret_hint')}
          items={keys.data?.filter(({ type }) => type === 'login_password')}
          preselect
          nothingFoundMessage={t('integration.auth.no_key')}
          {...form.getInputProps('auth_secret_id')}
        />
      )}
    </>
  );
}
