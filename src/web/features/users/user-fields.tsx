import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from '../../lib/i18n.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { NameInputs, OldPasswordInput } from './name-inputs.tsx';
import type { UserValues } from './user-values.ts';

interface Props {
  form: UseFormReturnType<UserValues>;
  isNew: boolean;
  /** Whether users edit themselves: administrators cannot take that role from themselves. */
  isSelf: boolean;
  /** Whether the server asks for the current password before users change their own account. */
  asksPassword?: boolean;
}

export function UserFields({ form, isNew, isSelf, asksPassword = false }: Props) {
  const { t } = useTranslation();
  const { admin, external } = form.getValues();
  const isFixed = external && !isNew;
  return (
    <>
      <NameInputs form={form} isFixed={isFixed} />
      {isNew && (
        <Checkbox
          label={t('user.external')}
          description={t('user.external_hint')}
          {...form.getInputProps('external', { type: 'checkbox' })}
        />
      )}
      {!external && (
        <Passwords form={form} isNew={isNew} isSelf={isSelf} asksPassword={asksPassword} />
      )}
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

function Passwords({ form, isNew, asksPassword = false }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <SecretInput
        label={isNew ? t('user.password') : t('user.new_password')}
        description={isNew ? null : t('user.new_password_hint')}
        required={isNew}
        {...form.getInputProps('password')}
      />
      {asksPassword && <OldPasswordInput form={form} />}
    </>
  );
}
