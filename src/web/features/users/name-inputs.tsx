import { TextInput } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';

/** A form with the fields of a user. */
interface UserForm {
  getInputProps: (path: 'name' | 'username' | 'email' | 'old_password') => object;
}

interface Props {
  form: UserForm;
  /** Whether a provider decides over these values. */
  isFixed: boolean;
  /** Whether users edit themselves, so that the browser may fill the inputs in. */
  isOwn?: boolean;
}

/** The inputs for the name, username and e-mail address of a user. */
export function NameInputs({ form, isFixed, isOwn = false }: Props) {
  const filledWith = (purpose: string): string => (isOwn ? purpose : 'off');
  return (
    <>
      {isFixed && <p className="soft">{t('user.external_fixed')}</p>}
      <TextInput
        label={t('common.name')}
        required
        disabled={isFixed}
        data-autofocus={!isOwn || undefined}
        autoComplete={filledWith('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('user.username')}
        required
        disabled={isFixed}
        autoComplete={filledWith('username')}
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('user.email')}
        required
        disabled={isFixed}
        type="email"
        autoComplete={filledWith('email')}
        {...form.getInputProps('email')}
      />
    </>
  );
}

/** The input for the current password, which some changes of one's own account need. */
export function OldPasswordInput({ form }: { form: UserForm }) {
  return (
    <SecretInput
      label={t('user.old_password')}
      required
      {...form.getInputProps('old_password')}
      autoComplete="current-password"
    />
  );
}
