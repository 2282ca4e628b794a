import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';

interface UserForm {
  getInputProps: (path: 'name' | 'username' | 'email' | 'old_password') => object;
}

interface Props {
  form: UserForm;
  /** Whether an identity provider manages these values. */
  isFixed: boolean;
  /** Whether users edit themselves, so that the browser may autofill. */
  isOwn?: boolean;
}

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

/** The input for the current password, which some changes of one's own account require. */
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

/**
 * Whether the form needs the current password: some time after the sign-in, changes of credentials
 * require it. Only the server knows the time, so its refusal shows the input.
 */
export function usePasswordPrompt({ errors }: { errors: Record<string, unknown> }): boolean {
  const [isAsked, setIsAsked] = useState(false);
  const isRefused = Boolean(errors['old_password']);
  if (isRefused && !isAsked) setIsAsked(true);
  return isAsked;
}
