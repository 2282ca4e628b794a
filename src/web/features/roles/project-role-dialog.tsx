import { projectRoles } from '#shared/api/roles.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { roleForm } from './role-form.tsx';
import { projectRoleResource } from './roles.queries.ts';

export const ProjectRoleDialog = defineResourceDialog({
  resource: projectRoleResource,
  ...roleForm,
  schema: projectRoles.create.body,
  changeSchema: projectRoles.update.body,
});
