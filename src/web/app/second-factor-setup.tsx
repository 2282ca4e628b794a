import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { RecoveryCodes } from '../features/second-factor/recovery-codes.tsx';
import { SetUp } from '../features/second-factor/set-up.tsx';
import { signOut } from '../features/session/session.queries.ts';
import { errorWords } from '../lib/error-words.ts';
import { useTranslation } from '../lib/i18n.ts';
import { forgetSession, localAddress } from '../lib/session-cookie.ts';
import { LogoMark } from '../ui/logo.tsx';
import { toastError } from '../ui/toast.ts';
import classes from './second-factor-setup.module.css';

const Toasts = lazy(async () => ({ default: (await import('../ui/toasts.tsx')).Toasts }));

/** Where a second factor is demanded: nothing else is open to whoever has none yet. */
export function SecondFactorSetup() {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<string[] | null>(null);
  const leave = useMutation({
    ...signOut(),
    onSuccess: () => {
      forgetSession();
      location.assign('/auth/login');
    },
    onError: (error) => toastError(errorWords(error)),
  });
  // All that was refused until now is asked for anew.
  const goOn = () => {
    const next = new URLSearchParams(location.search).get('next') ?? undefined;
    location.assign(localAddress(next) ?? '/');
  };
  return (
    <main className={classes.page}>
      <title>{`${t('second_factor.title')} · Signalbox`}</title>
      <div className={classes.panel}>
        <div className={classes.brand}>
          <LogoMark size={32} />
          <h1 className={classes.title}>{t('second_factor.required')}</h1>
        </div>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={goOn} />
        ) : (
          <>
            <p>{t('second_factor.required_text')}</p>
            <SetUp onConfirmed={setCodes} />
            <Button variant="subtle" loading={leave.isPending} onClick={() => leave.mutate({})}>
              {t('shell.sign_out')}
            </Button>
          </>
        )}
      </div>
      <Suspense>
        <Toasts />
      </Suspense>
    </main>
  );
}
