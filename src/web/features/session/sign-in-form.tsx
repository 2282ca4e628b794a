import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type ComponentProps, Suspense, useState } from 'react';
import { session } from '#shared/api/session.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { ApiError, call } from '../../lib/api.ts';
import { fieldWords } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { loadLanguage, t } from '../../lib/i18n.ts';
import { Failure } from '../../ui/feedback/failure.tsx';
import { providerAddress, useWays } from './use-ways.ts';

const ProviderIcon = lazyExport(() => import('./provider-icon.tsx'), 'ProviderIcon');

interface Props {
  onSignedIn: () => void;
  /** The username, if it is known. */
  username?: string;
  /** Whether providers are opened in another tab, so that this page stays as it is. */
  keepPage?: boolean;
  /** The query string for the provider's sign-in: the page to return to. */
  search?: string;
  /** Shows the password form although only administrators may use passwords. */
  isLocal?: boolean;
  /** Redirects to the only provider, if there is no password form. */
  goesOn?: boolean;
}

/** The ways to sign in: a password with an optional code, and the providers. */
export function SignInForm(props: Props) {
  const { onSignedIn, username, keepPage = false, search = '' } = props;
  const { isLocal = false, goesOn = false } = props;
  const { hasForm, providers } = useWays({ search, isLocal, goesOn });
  const [asksCode, setAsksCode] = useState(false);
  const { form, saving, submit, frame } = useBodyForm({
    initial: { auth: username ?? '', password: '', code: '' },
    toBody: ({ code, ...values }) => ({ ...values, code: asksCode ? code : '' }),
    check: (values) => missingOf(values, asksCode),
    submit: async (body) => {
      try {
        await call(session.signIn, { body });
      } catch (error) {
        if (isCodeMissing(error)) return setAsksCode(true);
        await loadLanguage();
        throw error;
      }
      onSignedIn();
    },
  });
  const goBack = () => {
    form.setFieldValue('code', '');
    setAsksCode(false);
  };
  return (
    <>
      {hasForm && (
        <form className="column gap-12" onSubmit={submit} noValidate>
          {asksCode ? (
            <CodeInput input={form.getInputProps('code')} isSaving={saving} />
          ) : (
            <>
              <TextInput
                label={t('sign_in.username')}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- there is nothing before it
                autoFocus={username === undefined}
                readOnly={username !== undefined || saving}
                {...form.getInputProps('auth')}
              />
              <PasswordInput
                label={t('sign_in.password')}
                autoComplete="current-password"
                data-autofocus
                // Not disabled, which would lose the focus.
                readOnly={saving}
                visibilityToggleButtonProps={{ 'aria-label': t('sign_in.show_password') }}
                {...form.getInputProps('password')}
              />
            </>
          )}
          <Button
            type="submit"
            fullWidth
            mt={6}
            mod={{ disabled: saving }}
            aria-disabled={saving}
            aria-busy={saving}
          >
            {saving ? t('sign_in.signing_in') : t('sign_in.submit')}
          </Button>
          {asksCode && (
            <Button variant="subtle" fullWidth disabled={saving} onClick={goBack}>
              {t('common.back')}
            </Button>
          )}
        </form>
      )}
      {/* Below the inputs, so that they do not move. */}
      <Failure message={frame.message} requestId={frame.requestId} />
      {!asksCode && <Providers providers={providers} search={search} keepPage={keepPage} />}
    </>
  );
}

/**
 * Checks required inputs without the schemas of the contract, whose code would slow down the page.
 */
function missingOf(values: { auth: string; password: string; code: string }, asksCode: boolean) {
  return {
    ...(values.auth.trim() === '' && { auth: fieldWords('user.username_required') }),
    ...(values.password === '' && { password: fieldWords('user.password_required') }),
    ...(asksCode &&
      values.code.trim() === '' && { code: fieldWords('second_factor.code_required') }),
  };
}

const isCodeMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.body.code === 'session.code_required';

interface CodeInputProps {
  input: ComponentProps<typeof TextInput>;
  isSaving: boolean;
}

function CodeInput({ input, isSaving }: CodeInputProps) {
  return (
    <TextInput
      label={t('sign_in.code')}
      description={t('sign_in.code_hint')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it is all that is asked for now
      autoFocus
      readOnly={isSaving}
      {...input}
    />
  );
}

interface Provider {
  id: string;
  name: string;
  color: string;
  icon: string;
}

interface ProvidersProps {
  providers: Provider[];
  search: string;
  keepPage: boolean;
}

function Providers({ providers, search, keepPage }: ProvidersProps) {
  if (providers.length === 0) return null;
  return (
    <div className="column gap-12 border-top" style={{ paddingTop: 18 }}>
      {providers.map(({ id, name, color, icon }) => (
        <Button
          key={id}
          component="a"
          variant="default"
          fullWidth
          href={providerAddress(id, search)}
          {...(keepPage ? { target: '_blank' } : {})}
          leftSection={<ProviderMark color={color} icon={icon} />}
        >
          {t('sign_in.with_provider', { name })}
        </Button>
      ))}
    </div>
  );
}

function ProviderMark({ color, icon }: Pick<Provider, 'color' | 'icon'>) {
  const dot = (
    <span
      style={{ width: 12, height: 12, borderRadius: '50%', background: color }}
      aria-hidden="true"
    />
  );
  if (icon === '') return dot;
  return (
    <Suspense fallback={dot}>
      <ProviderIcon name={icon} color={color} />
    </Suspense>
  );
}
