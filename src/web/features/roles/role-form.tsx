import { Textarea, TextInput } from '@mantine/core';
import type { RoleChange } from '#shared/api/roles.ts';
import { builtInRights, type Right } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import type { FieldsProps } from '../../resources/resource-dialog.tsx';
import { RightsField } from './rights-field.tsx';
import type { RoleScope } from './roles.queries.ts';

type Values = { name: string; description: string; rights: Right[] };

/** A new role begins with what each member may do. */
const newRole = { name: '', description: '', rights: [...builtInRights.guest] };

/** What the dialogs of projects and of the installation share. */
export const roleForm = {
  help: 'role',
  size: 760,
  fields: 4,
  values: (stored: RoleChange | undefined, { copied }: RoleScope): Values => {
    const { name, description, rights } = stored ?? copied ?? newRole;
    return { name, description, rights: [...rights] };
  },
  toBody: (values: Values) => values,
  Fields: RoleFields,
} as const;

function RoleFields({ form, may }: FieldsProps<Values> & RoleScope) {
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label={t('template.form.description')}
        autosize
        minRows={1}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <RightsField
        value={form.getValues().rights}
        onChange={(rights) => form.setFieldValue('rights', rights)}
        may={may}
        error={form.errors['rights']}
      />
    </>
  );
}
