import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { RecoveryCodes } from '../../features/second-factor/recovery-codes.tsx';
import { t } from '../../lib/i18n.ts';
import { localAddress } from '../../lib/session-cookie.ts';
import { FrontPage } from '../../ui/page/front-page.tsx';
import { LogoMark } from '../../ui/page/logo.tsx';
import { useSignOut } from './use-sign-out.ts';
import { Toasts } from '../../ui/feedback/toasts.tsx';

const SetUp = lazyExport(() => import('../../features/second-factor/set-up.tsx'), 'SetUp');

export function SecondFactorSetup() {
  const [codes, setCodes] = useState<string[] | null>(null);
  const { leave, isLeaving } = useSignOut();
  // Repeats the reads that the server has refused without a second factor.
  const goOn = () => {
    const next = new URLSearchParams(location.search).get('next') ?? undefined;
    location.assign(localAddress(next) ?? '/');
  };
  return (
    <FrontPage title={t('second_factor.title')} wide>
      <div className="row gap-12">
        <LogoMark size={32} />
        <h1 className="weight-650" style={{ fontSize: 19 }}>
          {t('second_factor.required')}
        </h1>
      </div>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={goOn} />
      ) : (
        <>
          <p>{t('second_factor.required_text')}</p>
          <Suspense>
            <SetUp onConfirmed={setCodes} />
          </Suspense>
          <Button variant="subtle" loading={isLeaving} onClick={leave}>
            {t('shell.sign_out')}
          </Button>
        </>
      )}
      <Toasts />
    </FrontPage>
  );
}
