import { keyChange, newKey } from '#shared/api/keys.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { KeyFields } from './key-fields.tsx';
import { keyBody, keyValues } from './key-values.ts';
import { keyResource } from './keys.queries.ts';

export const KeyDialog = defineResourceDialog({
  resource: keyResource,
  help: 'key',
  values: keyValues,
  toBody: keyBody,
  schema: newKey,
  changeSchema: keyChange,
  Fields: KeyFields,
});
