import { Suspense, useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { FrontPage } from '../../ui/page/front-page.tsx';
import { LogoMark } from '../../ui/page/logo.tsx';
import { SignInChoices } from './sign-in-choices.tsx';
import { SignInFailure } from './sign-in-failure.tsx';
import { SignInForm } from './sign-in-form.tsx';

const SignInHelp = lazyExport(() => import('./sign-in-help.tsx'), 'SignInHelp');

interface Props {
  /** The query string for the provider's sign-in: the page to return to. */
  search: string;
  /** Why signing in at a provider failed. */
  errorCode: string | null;
  /** Shows the password form although only administrators may use passwords. */
  isLocal: boolean;
  onSignedIn: () => void;
}

export function SignInPage({ onSignedIn, search, errorCode, isLocal }: Props) {
  return (
    <FrontPage title={t('sign_in.title')} below={<SignInChoices />}>
      <div className="row justify-center gap-12 pb-4">
        <LogoMark size={44} />
        <h1 style={{ fontSize: 24, fontWeight: 680, letterSpacing: '-0.02em' }}>Signalbox</h1>
      </div>
      <SignInFailure code={errorCode} />
      <SignInForm
        onSignedIn={onSignedIn}
        search={search}
        isLocal={isLocal}
        goesOn={errorCode === null}
      />
      <Help />
    </FrontPage>
  );
}

function Help() {
  const [asked, setAsked] = useState(false);
  const [opened, setOpened] = useState(false);
  const open = () => {
    setAsked(true);
    setOpened(true);
  };
  return (
    <>
      <button
        type="button"
        className="small link-button"
        style={{ alignSelf: 'center', padding: 4 }}
        aria-haspopup="dialog"
        onClick={open}
      >
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
