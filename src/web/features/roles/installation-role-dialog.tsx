import { installationRoles } from '#shared/api/roles.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { roleForm } from './role-form.tsx';
import { installationRoleResource } from './roles.queries.ts';

export const InstallationRoleDialog = defineResourceDialog({
  resource: installationRoleResource,
  ...roleForm,
  schema: installationRoles.create.body,
  changeSchema: installationRoles.update.body,
});
