import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { executionEnvironmentResource } from './execution-environments.queries.ts';
import { ExecutionFields, executionForm } from './execution-fields.tsx';

export const ExecutionEnvironmentDialog = defineResourceDialog({
  resource: executionEnvironmentResource,
  ...executionForm,
  Fields: ExecutionFields,
});
