import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { newUser, type User, userChange } from '#shared/api/users.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { NameInputs, OldPasswordInput, usePasswordPrompt } from './name-inputs.tsx';
import { userResource, type UserScope } from './users.queries.ts';

const userValues = (user?: User) => ({
  name: user?.name ?? '',
  username: user?.username ?? '',
  email: user?.email ?? '',
  password: '',
  old_password: '',
  admin: user?.admin ?? false,
  alert: user?.alert ?? false,
  can_create_project: user?.can_create_project ?? false,
  external: user?.external ?? false,
});
type UserValues = ReturnType<typeof userValues>;

/** Omitted permissions default to the setting of the server. */
const newUserBody = ({ old_password: _none, ...values }: UserValues) => ({
  ...values,
  can_create_project: values.can_create_project || undefined,
});

const userBody = ({ external: _fixed, ...values }: UserValues) => values;

export const UserDialog = defineResourceDialog({
  resource: userResource,
  help: 'users',
  size: 480,
  fields: 5,
  values: userValues,
  toBody: (values, _scope, isNew) => (isNew ? newUserBody(values) : userBody(values)),
  schema: newUser,
  changeSchema: userChange,
  Fields: UserFields,
});

type Props = FieldsProps<UserValues, User>;

function UserFields({ form, stored, selfId }: UserScope & Props) {
  const { admin, external } = form.getValues();
  // Administrators cannot remove their own role.
  const isSelf = stored?.id === selfId;
  return (
    <>
      <NameInputs form={form} isFixed={external && stored !== null} />
      {stored === null && (
        <Checkbox
          label={t('user.external')}
          description={t('user.external_hint')}
          {...form.getInputProps('external', { type: 'checkbox' })}
        />
      )}
      {!external && <Passwords form={form} stored={stored} />}
      <Checkbox
        label={t('user.admin')}
        description={isSelf ? t('user.admin_self') : t('user.admin_hint')}
        disabled={isSelf}
        {...form.getInputProps('admin', { type: 'checkbox' })}
      />
      {!admin && (
        <Checkbox
          label={t('user.can_create_project')}
          {...form.getInputProps('can_create_project', { type: 'checkbox' })}
        />
      )}
      <Checkbox
        label={t('user.alert')}
        description={t('user.alert_hint')}
        {...form.getInputProps('alert', { type: 'checkbox' })}
      />
    </>
  );
}

function Passwords({ form, stored }: Props) {
  const isNew = stored === null;
  const isAsked = usePasswordPrompt(form);
  return (
    <>
      <SecretInput
        label={isNew ? t('user.password') : t('user.new_password')}
        description={isNew ? null : t('user.new_password_hint')}
        required={isNew}
        {...form.getInputProps('password')}
      />
      {isAsked && <OldPasswordInput form={form} />}
    </>
  );
}
