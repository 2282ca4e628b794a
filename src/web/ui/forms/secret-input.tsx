import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './secret-input.module.css';

/** One line that is hidden until it is revealed; the browser does not store it. */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
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
