import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import classes from './secret-input.module.css';

/** A hidden line that can be revealed; the browser does not store it. */
export function SecretInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      autoComplete="new-password"
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': t('secret.reveal') }}
      classNames={{ visibilityToggle: `soft ${classes.eye}` }}
      {...props}
    />
  );
}
