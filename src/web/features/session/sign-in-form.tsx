import { Button, PasswordInput, TextInput } from '@mantine/core';
import { credentials, session } from '#shared/api/session.ts';
import { call } from '../../lib/api.ts';
import { useBodyForm } from '../../lib/form.ts';
import { loadLanguage, useTranslation } from '../../lib/i18n.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './sign-in-form.module.css';
import { providerAddress, useWays } from './use-ways.ts';

interface Props {
  onSignedIn: () => void;
  /** Who has to sign in, where that is known. */
  username?: string;
  /** Providers are opened beside this page, which stays as it is. */
  keepPage?: boolean;
  /** The page to come back to from a provider. */
  next?: string;
  /** The form is asked for although passwords are for administrators only. */
  isLocal?: boolean;
  /** Where there is one provider and no form, it is opened at once. */
  goesOn?: boolean;
}

/** The ways to sign in: a password, and the providers. */
export function SignInForm(props: Props) {
  const { onSignedIn, username, keepPage = false, next = '/' } = props;
  const { isLocal = false, goesOn = false } = props;
  const { t } = useTranslation();
  const { hasForm, providers } = useWays({ next, isLocal, goesOn });
  const { form, saving, submit, frame } = useBodyForm({
    initial: { auth: username ?? '', password: '' },
    schema: credentials,
    toBody: (values) => values,
    submit: async (body) => {
      // Why it failed is told with words that are not there yet.
      await call(session.signIn, { body }).catch(async (error: unknown) => {
        await loadLanguage();
        throw error;
      });
      onSignedIn();
    },
  });
  return (
    <>
      <Failure message={frame.message} requestId={frame.requestId} />
      {hasForm && (
        <form className={classes.form} onSubmit={submit} noValidate>
          <TextInput
            label={t('sign_in.username')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- there is nothing before it
            autoFocus={username === undefined}
            readOnly={username !== undefined}
            disabled={saving}
            {...form.getInputProps('auth')}
          />
          <PasswordInput
            label={t('sign_in.password')}
            autoComplete="current-password"
            data-autofocus
            disabled={saving}
            visibilityToggleButtonProps={{ 'aria-label': t('sign_in.show_password') }}
            {...form.getInputProps('password')}
          />
          <Button type="submit" fullWidth mt={6} disabled={saving} aria-busy={saving}>
            {saving ? t('sign_in.signing_in') : t('sign_in.submit')}
          </Button>
        </form>
      )}
      <Providers providers={providers} next={keepPage ? '/' : next} keepPage={keepPage} />
    </>
  );
}

interface ProvidersProps {
  providers: { id: string; name: string; color: string }[];
  next: string;
  keepPage: boolean;
}

function Providers({ providers, next, keepPage }: ProvidersProps) {
  const { t } = useTranslation();
  if (providers.length === 0) return null;
  return (
    <div className={classes.providers}>
      {providers.map(({ id, name, color }) => (
        <Button
          key={id}
          component="a"
          variant="default"
          fullWidth
          href={providerAddress(id, next)}
          {...(keepPage ? { target: '_blank' } : {})}
          leftSection={
            <span className={classes.dot} style={{ background: color }} aria-hidden="true" />
          }
        >
          {t('sign_in.with_provider', { name })}
        </Button>
      ))}
    </div>
  );
}
