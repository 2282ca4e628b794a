import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { credentials, session } from '#shared/api/session.ts';
import { ApiError, call } from '../../lib/api.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Failure } from '../../ui/failure.tsx';
import { LogoMark } from '../../ui/logo.tsx';
import { sessionQueries } from './session.queries.ts';
import classes from './sign-in-page.module.css';

const SignInHelp = lazy(async () => {
  const { SignInHelp: component } = await import('./sign-in-help.tsx');
  return { default: component };
});

interface Props {
  /** Where to go with the new session. */
  onSignedIn: () => void;
}

export function SignInPage({ onSignedIn }: Props) {
  const { t } = useTranslation();
  const ways = useQuery(sessionQueries.ways());
  const { form, failure, saving, submit } = useBodyForm({
    initial: { auth: '', password: '' },
    schema: credentials,
    toBody: (values) => values,
    submit: async (body) => {
      await call(session.signIn, { body });
      onSignedIn();
    },
  });
  const withPassword = ways.data?.login_with_password ?? true;
  return (
    <main className={classes.page}>
      <title>{`${t('sign_in.title')} · Signalbox`}</title>
      <div className={classes.panel}>
        <div className={classes.brand}>
          <LogoMark size={44} />
          <h1 className={classes.name}>Signalbox</h1>
        </div>
        {failure !== null && <Failure message={signInWords(failure)} />}
        {withPassword && (
          <form className={classes.form} onSubmit={submit} noValidate>
            <TextInput
              label={t('sign_in.username')}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- there is nothing before it
              autoFocus
              disabled={saving}
              {...form.getInputProps('auth')}
            />
            <PasswordInput
              label={t('sign_in.password')}
              autoComplete="current-password"
              disabled={saving}
              visibilityToggleButtonProps={{ 'aria-label': t('sign_in.show_password') }}
              {...form.getInputProps('password')}
            />
            <Button type="submit" fullWidth mt={6} disabled={saving} aria-busy={saving}>
              {saving ? t('sign_in.signing_in') : t('sign_in.submit')}
            </Button>
          </form>
        )}
        <Providers providers={ways.data?.oidc_providers ?? []} />
        <Help />
      </div>
    </main>
  );
}

const signInWords = (failure: unknown): string =>
  failure instanceof ApiError && failure.body.fields?.length
    ? failure.body.fields.map(({ message }) => message).join(' ')
    : errorWords(failure);

interface Provider {
  id: string;
  name: string;
  color: string;
}

function Providers({ providers }: { providers: Provider[] }) {
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
          href={`/api/auth/oidc/${encodeURIComponent(id)}/login${location.search}`}
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

function Help() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const [opened, setOpened] = useState(false);
  const open = () => {
    setAsked(true);
    setOpened(true);
  };
  return (
    <>
      <button type="button" className={classes.help} aria-haspopup="dialog" onClick={open}>
        {t('sign_in.help.link')}
      </button>
      {asked && (
        <Suspense>
          <SignInHelp opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
