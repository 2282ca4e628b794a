import type { UseFormReturnType } from '@mantine/form';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import type { ExecutionValues } from './execution-environment-values.ts';
import { installationEnvironmentResource } from './execution-environments.queries.ts';
import { ExecutionFields, executionForm } from './execution-fields.tsx';

interface Props {
  form: UseFormReturnType<ExecutionValues>;
}

export const InstallationEnvironmentDialog = defineResourceDialog({
  resource: installationEnvironmentResource,
  ...executionForm,
  Fields: ({ form }: Props) => <ExecutionFields form={form} projectId={null} />,
});
