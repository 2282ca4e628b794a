import { grants } from '#shared/api/grants.ts';
import { noLimits } from '#shared/grants/limits.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { GrantFields, type GrantValues } from './grant-fields.tsx';
import { grantResource } from './grants.queries.ts';
import { limitsBody, limitValues } from '../../resources/limits/limit-values.ts';

export const GrantDialog = defineResourceDialog({
  resource: grantResource,
  help: 'access',
  size: 600,
  fields: 4,
  values: (stored, { object }): GrantValues => ({
    user_id: stored?.user_id ?? null,
    object_type: stored?.object_type ?? object?.type ?? 'template',
    object_id: stored?.object_id ?? object?.id ?? null,
    role: stored?.role ?? '',
    limits: limitValues(stored?.limits ?? noLimits),
  }),
  toBody: ({ role, limits, ...values }, _scope, isNew) => ({
    role,
    limits: limitsBody(limits, values.object_type),
    ...(isNew && values),
  }),
  schema: grants.create.body,
  changeSchema: grants.update.body,
  inputPath: (path) => (path.startsWith('limits.answers') ? 'limits.answers' : path),
  Fields: GrantFields,
});
